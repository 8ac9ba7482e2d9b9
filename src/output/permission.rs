//! What to do about a missing permission: the commands that would grant it.

/// The commands that grant what an RBAC denial names, in one namespace or in all of them; none
/// when the message is no such denial (a quota or a webhook forbids in other words).
pub fn grant(message: &str, namespace: Option<&str>) -> Option<String> {
    let denial = Denial::parse(message)?;
    let Denial { verb, resource, .. } = &denial;
    let role = format!("copyrator-{verb}-{resource}").replace(['.', '/'], "-");
    let subject = denial.subject();
    let resource = denial.qualified_resource();
    Some(match namespace {
        Some(namespace) => format!(
            "an administrator can allow it: kubectl create role {role} --verb={verb} --resource={resource} -n {namespace} && \
             kubectl create rolebinding {role} --role={role} {subject} -n {namespace}"
        ),
        None => format!(
            "an administrator can allow it: kubectl create clusterrole {role} --verb={verb} --resource={resource} && \
             kubectl create clusterrolebinding {role} --clusterrole={role} {subject}"
        ),
    })
}

/// Whom an RBAC denial names; none when the message is no such denial.
pub fn denied_user(message: &str) -> Option<&str> {
    Some(Denial::parse(message)?.user)
}

/// `User "U" cannot V resource "R" in API group "G"…`, as the API server's RBAC words it.
struct Denial<'a> {
    user: &'a str,
    verb: &'a str,
    resource: &'a str,
    group: &'a str,
}

impl<'a> Denial<'a> {
    fn parse(message: &'a str) -> Option<Self> {
        let (_, rest) = message.split_once("User \"")?;
        let (user, rest) = rest.split_once("\" cannot ")?;
        let (verb, rest) = rest.split_once(" resource \"")?;
        let (resource, rest) = rest.split_once("\" in API group \"")?;
        let (group, _) = rest.split_once('"')?;
        let plain = |word: &str| {
            word.bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-./".contains(&byte))
        };
        [verb, resource, group]
            .into_iter()
            .all(plain)
            .then_some(Self {
                user,
                verb,
                resource,
                group,
            })
    }

    fn qualified_resource(&self) -> String {
        match self.group {
            "" => self.resource.to_owned(),
            group => format!("{}.{group}", self.resource),
        }
    }

    fn subject(&self) -> String {
        match self.user.strip_prefix("system:serviceaccount:") {
            Some(account) => format!("--serviceaccount={}", quoted(account)),
            None => format!("--user={}", quoted(self.user)),
        }
    }
}

/// Quotes what a shell would take apart: a user's name can be anything.
fn quoted(word: &str) -> String {
    let harmless = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:@/".contains(&byte);
    if word.bytes().all(harmless) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DENIAL: &str =
        "secrets is forbidden: User \"jane\" cannot create resource \"secrets\" in API group \"\"";

    #[test]
    fn a_denial_in_one_namespace_asks_for_a_role_there() {
        assert_eq!(
            grant(DENIAL, Some("team-a")).unwrap(),
            "an administrator can allow it: kubectl create role copyrator-create-secrets --verb=create --resource=secrets -n team-a && \
             kubectl create rolebinding copyrator-create-secrets --role=copyrator-create-secrets --user=jane -n team-a"
        );
    }

    #[test]
    fn a_denial_in_many_asks_for_a_cluster_role() {
        let message = "x is forbidden: User \"system:serviceaccount:ci:bot\" cannot list resource \"copyratorrules\" \
             in API group \"copyrator.dev\" at the cluster scope";
        assert_eq!(
            grant(message, None).unwrap(),
            "an administrator can allow it: kubectl create clusterrole copyrator-list-copyratorrules --verb=list \
             --resource=copyratorrules.copyrator.dev && kubectl create clusterrolebinding \
             copyrator-list-copyratorrules --clusterrole=copyrator-list-copyratorrules --serviceaccount=ci:bot"
        );
    }

    #[test]
    fn names_of_users_are_quoted_for_the_shell() {
        let grant = grant(&DENIAL.replace("jane", "o'hara; rm"), None).unwrap();
        assert!(grant.ends_with(r"--user='o'\''hara; rm'"), "{grant}");
    }

    #[test]
    fn other_refusals_have_no_such_cure() {
        assert_eq!(grant("exceeded quota: secrets", None), None);
    }
}
