//! Who was named to be asked.

use super::AskError;
use crate::{
    api::ExchangeRateSpec,
    cli::rates::ProviderFlags,
    rates::provider::{Address, Origin, ProviderType, Source, UnknownProvider},
};

/// The sources in their order, at least one.
pub fn sources(flags: &ProviderFlags) -> Result<Vec<Source>, AskError> {
    let kinds = kinds(flags)?;
    let url: Option<Address> = flags.url.as_deref().map(str::parse).transpose()?;
    if url.is_some() && kinds.len() > 1 {
        return Err(AskError::UrlOfSeveral);
    }
    let source = |kind| Source::new(kind, url.clone(), None, Origin::Own);
    Ok(kinds.into_iter().map(source).collect::<Result<_, _>>()?)
}

fn kinds(flags: &ProviderFlags) -> Result<Vec<ProviderType>, UnknownProvider> {
    if !flags.providers.is_empty() {
        return flags.providers.iter().map(|name| kind(name)).collect();
    }
    if flags.url.is_some() {
        return Ok(vec![ProviderType::Url]);
    }
    let defaults = ExchangeRateSpec::DEFAULT_PROVIDERS.iter();
    defaults.map(|provider| kind(provider.name())).collect()
}

/// A provider by its name, however it is capitalised: nobody types these every day.
pub fn kind(name: &str) -> Result<ProviderType, UnknownProvider> {
    let mut kinds = ProviderType::ALL.into_iter();
    kinds
        .find(|kind| kind.name().eq_ignore_ascii_case(name))
        .ok_or_else(|| UnknownProvider(name.to_owned()))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn asked(providers: &[&str], url: Option<&str>) -> Result<Vec<ProviderType>, String> {
        let flags = ProviderFlags {
            providers: providers.iter().map(ToString::to_string).collect(),
            url: url.map(str::to_owned),
            provider_ca: None,
            timeout: Duration::ZERO,
        };
        match sources(&flags) {
            Ok(sources) => Ok(sources.iter().map(Source::kind).collect()),
            Err(error) => Err(error.to_string()),
        }
    }

    #[test]
    fn the_ecb_is_asked_first_if_nobody_is_named() {
        let both = vec![ProviderType::Ecb, ProviderType::Frankfurter];
        assert_eq!(asked(&[], None), Ok(both));
        let named = vec![ProviderType::OpenErApi, ProviderType::Ecb];
        assert_eq!(asked(&["openerapi", "ECB"], None), Ok(named));
    }

    #[test]
    fn an_address_is_that_of_one_provider() {
        let file = Some("file:///srv/rates.json");
        assert_eq!(asked(&[], file), Ok(vec![ProviderType::Url]));
        let mirror = Some("https://mirror.example");
        assert_eq!(asked(&["ECB"], mirror), Ok(vec![ProviderType::Ecb]));
        assert!(asked(&["ECB", "Frankfurter"], mirror).is_err());
        assert!(asked(&["ECB"], file).is_err());
        assert!(asked(&["URL"], None).is_err());
        assert!(asked(&["bank"], None).is_err());
    }
}
