//! What `sync` and `diff` share: rules, and the API server that copies are on.

use std::io;

use crate::{
    api::manifest,
    cli::RuleFlags,
    cluster::{ApiServer, ApiServerOptions, Connection},
    copy::{Copies, OWNER_LABEL, RuleSource},
};

use super::CommandError;

/// The copies that the rules of the arguments want. Files are read, and refused, before anything
/// is asked of a cluster.
pub fn copies(arguments: &RuleFlags) -> Result<Copies, CommandError> {
    let source = if arguments.filename.is_empty() {
        RuleSource::Cluster {
            names: arguments
                .rules
                .iter()
                .map(|name| name.as_str().into())
                .collect(),
        }
    } else {
        let rules = manifest::load(&arguments.filename, &mut io::stdin());
        let rules = rules.map_err(CommandError::Manifests)?;
        RuleSource::Files {
            rules: rules.into_iter().map(|rule| rule.item).collect(),
        }
    };
    Ok(Copies::new(source, arguments.prune))
}

/// The API server of a connection, for copies; `dry_run` says whether writes are only tried.
pub fn api_server(connection: Connection, dry_run: bool) -> ApiServer {
    let options = ApiServerOptions {
        request_timeout: connection.request_timeout,
        dry_run,
        owner_label: OWNER_LABEL,
    };
    ApiServer::new(connection.client, options)
}
