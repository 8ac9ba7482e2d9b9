//! `controller run`: all loops in one process, one of several replicas at a time.

use std::sync::Arc;

use jiff::Timestamp;
use tokio_util::sync::CancellationToken;
use tracing::info;

use super::{
    election::{CONTROLLER, ElectionLog},
    loops::Ground,
    own_namespace::own_namespace,
};
use crate::{
    cli::{
        KubeFlags,
        controller::{ElectionFlags, RunArguments},
    },
    cluster::{
        ApiServer, ApiServerOptions, Connection, Definitions, Events, Lease, RequestEnd, metered,
    },
    commands::{CommandError, connection::connect_by},
    exit::Ending,
    leadership::{Election, Elector, Identity, Term, Timing},
    reconcile::Name,
    telemetry::{Health, HealthServer, Metrics, Telemetry},
};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Runs `controller run`. To be stopped is how it is meant to end.
pub async fn run(
    arguments: &RunArguments,
    kube: &KubeFlags,
    stop: &CancellationToken,
) -> Result<Ending, CommandError> {
    let timing = timing(&arguments.election)?;
    let telemetry = Telemetry {
        metrics: Arc::new(Metrics::new(VERSION)),
        health: Arc::new(Health::starting(CONTROLLER)),
    };
    let connection = connect(kube, &telemetry).await?;
    let server = HealthServer::start(arguments.telemetry.health_address, telemetry.clone())?;
    info!(version = VERSION, address = %server.address(), server = connection.server, "started");
    let controller = Controller {
        arguments,
        kube,
        connection,
        telemetry: &telemetry,
        stop,
    };
    let health = &telemetry.health;
    // On the heap, because all loops are in it.
    health
        .beat_during(Box::pin(controller.work(timing)))
        .await?;
    info!("ended");
    Ok(Ending::Done)
}

/// The times of the election, if there is one and whether or not: a slip shouldn't wait for the day on
/// which it is asked for.
fn timing(flags: &ElectionFlags) -> Result<Timing, CommandError> {
    let timing = Timing::new(
        flags.lease_duration,
        flags.renew_deadline,
        flags.retry_period,
    );
    timing.map_err(|error| CommandError::Arguments(error.to_string()))
}

/// Connects, and has all requests counted.
async fn connect(kube: &KubeFlags, telemetry: &Telemetry) -> Result<Connection, CommandError> {
    let connection = connect_by(kube).await?;
    let metrics = Arc::clone(&telemetry.metrics);
    let count =
        move |end: RequestEnd<'_>| metrics.count_api_request(end.verb, end.resource, end.code);
    Ok(Connection {
        client: metered(&connection.client, Arc::new(count)),
        ..connection
    })
}

/// Says in the log that the end takes a while, and how not to wait for it.
pub fn log_stopping() {
    info!("stopping: waiting for the requests that are under way; a second signal ends it at once");
}

struct Controller<'a> {
    arguments: &'a RunArguments,
    kube: &'a KubeFlags,
    connection: Connection,
    telemetry: &'a Telemetry,
    stop: &'a CancellationToken,
}

impl Controller<'_> {
    /// Works whenever it may, until it is stopped.
    async fn work(&self, timing: Timing) -> Result<(), CommandError> {
        let Connection {
            client,
            request_timeout,
            ..
        } = &self.connection;
        let options = ApiServerOptions {
            request_timeout: *request_timeout,
            deadline: None,
            dry_run: false,
        };
        let identity = Identity::of_process();
        let ground = Ground {
            arguments: self.arguments,
            kube: self.kube,
            events: &Events::new(client.clone(), *request_timeout, identity.to_string()),
            server: &ApiServer::new(client.clone(), options).stopped_by(self.stop),
            definitions: &Definitions::new(client.clone(), *request_timeout),
            telemetry: self.telemetry,
            stop: self.stop,
        };
        ground.check_rates()?;
        if self.arguments.election.leader_elect {
            let mut log = ElectionLog::new(self.telemetry);
            let mut tell = |election: Election<'_>| log.tell(&election);
            let work = async |term: &Term| ground.work(term).await;
            let elector = self.elector(timing, identity);
            Box::pin(elector.run(self.stop, &mut tell, work)).await;
        } else {
            self.telemetry.metrics.set_leader(true);
            self.telemetry.health.is_ready(CONTROLLER);
            ground.work(&Term::for_life()).await;
        }
        Ok(())
    }

    fn elector(&self, timing: Timing, identity: Identity) -> Elector<Lease> {
        let namespace = own_namespace(self.kube, &self.connection.default_namespace);
        let name = Name::from(self.arguments.election.lease_name.as_str());
        info!(%namespace, lease = %name, identity = identity.as_str(), "standing for election");
        let Connection {
            client,
            request_timeout,
            ..
        } = &self.connection;
        let lease = Lease::new(client.clone(), *request_timeout, namespace, name);
        Elector::new(lease, identity, timing, Timestamp::now)
    }
}
