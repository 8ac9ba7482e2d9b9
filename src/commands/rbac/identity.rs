//! What the roles are called, and whom they are bound to.

use crate::{
    cli::{KubeFlags, rbac::RbacArguments},
    commands::{CommandError, deploy::namespace},
    installation::{Account, Identity, label, subdomain},
    reconcile::{Name, Namespace},
};

/// The name of what `deploy` makes, if it isn't told another one.
const INSTALLATION: &str = "kubectl-copyrator";

/// The service account that the roles are bound to, if there is one.
pub fn account(arguments: &RbacArguments) -> Result<Option<Account>, CommandError> {
    let Some((namespace, name)) = &arguments.service_account else {
        return Ok(None);
    };
    let wrong = |error| CommandError::Arguments(format!("--service-account: {error}"));
    label("a namespace", namespace).map_err(wrong)?;
    subdomain("a service account", name).map_err(wrong)?;
    Ok(Some(Account {
        namespace: Namespace::from(&**namespace),
        name: Name::from(&**name),
    }))
}

/// What the roles are called, and the namespace of the Lease: that of the account, if no other is named.
pub fn identity(
    arguments: &RbacArguments,
    kube: &KubeFlags,
    account: Option<&Account>,
) -> Result<Identity, CommandError> {
    let name = match (arguments.name.as_deref(), account) {
        (Some(name), _) => name.to_owned(),
        // Applied, roles take the place of others of their name: those of the controller aren't for anybody
        // else's account.
        (None, Some(account)) if account.name.as_str() != INSTALLATION => {
            format!("copyrator-{}-{}", account.namespace, account.name)
        }
        (None, _) => INSTALLATION.to_owned(),
    };
    let wrong = |error| CommandError::Arguments(format!("--name: {error}"));
    subdomain("a role", &name).map_err(wrong)?;
    let own = account.map(|account| account.namespace.clone());
    Ok(Identity {
        name: Name::from(&*name),
        namespace: namespace(kube, own)?,
    })
}
