//! How much CPU and memory a container asks for and gets, in the words of `kubectl set resources`.

use std::{collections::BTreeMap, str::FromStr};

use k8s_openapi::apimachinery::pkg::api::resource::Quantity;

/// Quantities by their resource, such as `cpu=50m,memory=64Mi`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Compute(BTreeMap<String, Quantity>);

/// A text that says no such quantities.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ComputeError {
    /// A part isn't `resource=quantity`.
    #[error("{0:?} must be RESOURCE=QUANTITY, such as cpu=50m or memory=64Mi")]
    Shape(String),
    /// A resource that a pod of ours has no use for.
    #[error("{0:?} is no resource of ours; give cpu, memory or ephemeral-storage")]
    Resource(String),
    /// One resource comes twice.
    #[error("{0} is given twice")]
    Twice(String),
    /// A quantity can't be read, or is none.
    #[error(
        "{quantity:?} is no quantity of {resource}; write a number with a unit, such as {example}"
    )]
    Quantity {
        /// Of what.
        resource: String,
        /// What was given.
        quantity: String,
        /// How it could be.
        example: &'static str,
    },
}

const KNOWN: [(&str, &str); 3] = [
    ("cpu", "50m or 0.5"),
    ("memory", "64Mi"),
    ("ephemeral-storage", "64Mi"),
];

/// Source: <https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/>
const UNITS: [&str; 15] = [
    "", "m", "k", "M", "G", "T", "P", "E", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei", "e3",
];

impl FromStr for Compute {
    type Err = ComputeError;

    fn from_str(text: &str) -> Result<Self, ComputeError> {
        let mut compute = Self::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            let shape = || ComputeError::Shape(part.to_owned());
            let (resource, quantity) = part.split_once('=').ok_or_else(shape)?;
            let known = KNOWN.iter().find(|(known, _)| *known == resource);
            let unknown = || ComputeError::Resource(resource.to_owned());
            let (_, example) = known.ok_or_else(unknown)?;
            if !is_quantity(quantity) {
                return Err(ComputeError::Quantity {
                    resource: resource.to_owned(),
                    quantity: quantity.to_owned(),
                    example,
                });
            }
            let quantity = Quantity(quantity.to_owned());
            if compute.0.insert(resource.to_owned(), quantity).is_some() {
                return Err(ComputeError::Twice(resource.to_owned()));
            }
        }
        Ok(compute)
    }
}

impl Compute {
    /// The quantities as the API has them.
    pub(super) fn quantities(&self) -> BTreeMap<String, Quantity> {
        self.0.clone()
    }
}

/// A positive number with a unit.
fn is_quantity(text: &str) -> bool {
    let is_number = |letter: char| letter.is_ascii_digit() || letter == '.';
    let end = text.find(|letter| !is_number(letter)).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let is_positive = number.bytes().any(|byte| (b'1'..=b'9').contains(&byte));
    is_positive && number.parse::<f64>().is_ok() && UNITS.contains(&unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantities_are_those_of_kubectl_set_resources() {
        let compute: Compute = "cpu=0.5,memory=64Mi,ephemeral-storage=1G".parse().unwrap();
        let quantities = compute.quantities();
        assert_eq!(quantities["cpu"].0, "0.5");
        assert_eq!(quantities["memory"].0, "64Mi");
        assert_eq!("".parse(), Ok(Compute::default()));
    }

    #[test]
    fn what_says_none_is_refused() {
        for (bad, reason) in [
            ("cpu", "must be RESOURCE=QUANTITY"),
            ("gpu=1", "no resource of ours"),
            ("cpu=1,cpu=2", "given twice"),
            ("cpu=0", "no quantity of cpu"),
            ("cpu=-1", "no quantity of cpu"),
            ("memory=64MB", "such as 64Mi"),
            ("memory=1.2.3", "such as 64Mi"),
            ("memory=", "such as 64Mi"),
        ] {
            let error = bad.parse::<Compute>().unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }
}
