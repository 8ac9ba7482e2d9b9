//! Objects, outcomes and writers for the tests of this room.

use std::{
    cell::RefCell,
    io::{self, Write},
    rc::Rc,
    sync::Arc,
};

use super::Streams;
use crate::reconcile::{
    ApiError, CONFIG_MAPS, Carried, Content, Desired, Event, Failure, ObjectKey, Outcome, Owner,
    OwnerKind, Policies, Precedence, ResourceType, SECRETS, SetName, Template, Verb,
};

/// What owners are called.
pub static RULES: OwnerKind = OwnerKind {
    resource: &crate::reconcile::NAMESPACES,
    label: "copyrator.dev/rule",
    noun: "rule",
    is_namespaced: false,
};
/// A value that must never be seen, as the API encodes it.
pub const PLANTED: &str = "cGxhbnRlZC1zZWNyZXQ=";
/// The same, decoded.
pub const PLANTED_TEXT: &str = "planted-secret";

pub fn secret(namespace: &str, name: &str) -> ObjectKey {
    ObjectKey::namespaced(&SECRETS, namespace.into(), name.into())
}

pub fn config_map(namespace: &str, name: &str) -> ObjectKey {
    ObjectKey::namespaced(&CONFIG_MAPS, namespace.into(), name.into())
}

pub fn owner(name: &str) -> Owner {
    Owner {
        kind: &RULES,
        set: SetName::cluster(),
        namespace: None,
        name: name.into(),
    }
}

pub fn content(json: &str) -> Content {
    serde_json::from_str(json).unwrap()
}

pub fn planted() -> Content {
    content(&format!(
        r#"{{"type":"Opaque","data":{{"password":"{PLANTED}"}}}}"#
    ))
}

pub fn desired(key: ObjectKey, content: Content) -> Desired {
    desired_with(key, content, Carried::default())
}

pub fn desired_with(key: ObjectKey, content: Content, carried: Carried) -> Desired {
    let template = Template::new(
        owner("pull-secrets"),
        "default/regcred".into(),
        Arc::new(content),
        carried,
        Policies::default(),
        Precedence::default(),
    );
    Desired {
        key,
        template: Arc::new(template),
    }
}

pub fn outcome(key: ObjectKey, event: Event) -> Outcome {
    Outcome {
        owner: Some(owner("pull-secrets")),
        source: Some("default/regcred".into()),
        desired: Some(desired(key.clone(), planted())),
        key,
        event,
    }
}

/// What RBAC answers when a Secret can't be made.
pub fn forbidden(namespace: &str, name: &str) -> Event {
    let message = format!(
        "secrets is forbidden: User \"jane\" cannot create resource \"secrets\" in API group \"\" in the namespace \"{namespace}\""
    );
    failed(&SECRETS, namespace, name, Failure::Forbidden(message))
}

pub fn failed(
    resource: &'static ResourceType,
    namespace: &str,
    name: &str,
    failure: Failure,
) -> Event {
    let key = ObjectKey::namespaced(resource, namespace.into(), name.into());
    Event::Failed(ApiError::on(Verb::Create, &key, failure))
}

/// A writer whose text can be looked at afterwards.
#[derive(Clone, Default)]
pub struct Captured(Rc<RefCell<Vec<u8>>>);

impl Captured {
    pub fn text(&self) -> String {
        String::from_utf8(self.0.borrow().clone()).unwrap()
    }
}

impl Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A writer whose reader has gone.
pub struct Broken;

impl Write for Broken {
    fn write(&mut self, _bytes: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Streams that are no terminals, and what is written to them.
pub fn captured() -> (Streams, Captured, Captured) {
    let (out, err) = (Captured::default(), Captured::default());
    let streams = Streams {
        out: Box::new(out.clone()),
        err: Box::new(err.clone()),
        out_is_terminal: false,
        err_is_terminal: false,
        in_is_terminal: false,
    };
    (streams, out, err)
}
