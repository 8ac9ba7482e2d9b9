//! What a rule makes of one original: the name, the content and the metadata of its copies.

use std::sync::Arc;

use super::{
    copy_name::BadName,
    keys::KeyTaken,
    original::Original,
    rule::Rule,
    secret_type::{Defect, defect},
};
use crate::reconcile::{CONFIG_MAPS, Carried, Content, Name};

/// What the copies of one original are.
pub struct Derived {
    /// What they are called.
    pub name: Name,
    /// What they hold.
    pub content: Arc<Content>,
    /// Which labels and annotations they take over.
    pub carried: Carried,
}

/// Why a rule can make no copies of an original.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Underivable {
    /// The template makes no name of it.
    #[error("{0}")]
    Name(#[from] BadName),
    /// Two keys would have one name.
    #[error("{0}")]
    Keys(#[from] KeyTaken),
    /// The API server would refuse the copies.
    #[error("{0}; check spec.data")]
    Type(#[from] Defect),
    /// Kubernetes itself writes the object of that name.
    #[error("spec.target.name: Kubernetes puts a ConfigMap {0} into every namespace itself")]
    Reserved(Name),
}

/// What the copies of an original are, as the rule says.
pub fn derive(rule: &Rule, original: &Original) -> Result<Derived, Underivable> {
    let name = rule.name.render(&original.key)?;
    if rule.resource == &CONFIG_MAPS && name.as_str() == "kube-root-ca.crt" {
        return Err(Underivable::Reserved(name));
    }
    let content = rule.keys.apply(&original.content)?;
    // An original that isn't changed on the way was let in as it is.
    if !Arc::ptr_eq(&content, &original.content)
        && let Some(defect) = defect(&content)
    {
        return Err(defect.into());
    }
    let carried = rule.carried.apply(&original.labels, &original.annotations);
    Ok(Derived {
        name,
        content,
        carried,
    })
}
