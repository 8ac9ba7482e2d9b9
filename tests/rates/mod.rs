//! Exchange rates, from the provider's answer to the ConfigMap.

mod refresh;
