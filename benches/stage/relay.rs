//! Counts what goes over the wire, by passing it on.

use std::{
    fs,
    net::Ipv4Addr,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use tokio::net::{TcpListener, TcpStream};

use super::{Stage, start::sync_arguments, user};
use crate::{error::Outcome, measured, raw::Request};

/// What a run of the program asked of the API server.
pub struct Relayed {
    /// The requests in order, if they only read.
    pub reads: Vec<Request>,
    /// How many bytes came back, with all that TLS adds.
    pub received: u64,
}

impl Stage {
    /// Runs a program's `sync` and counts; the time that it takes means nothing.
    pub fn sync_counted(&self, program: &Path) -> Outcome<Relayed> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_io()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind((Ipv4Addr::LOCALHOST, 0)))?;
        let kubeconfig = self.cluster().dir().join("relay.kubeconfig");
        let port = listener.local_addr()?.port();
        fs::write(
            &kubeconfig,
            user::kubeconfig(self, &self.user().token, port),
        )?;
        let received = Arc::new(AtomicU64::new(0));
        runtime.spawn(accept(listener, self.port(), Arc::clone(&received)));
        let mut arguments = sync_arguments(&kubeconfig);
        arguments.push("--v=6".into());
        let program = program.to_owned();
        let run = runtime.spawn_blocking(move || measured::run(&program, &arguments));
        let measured = runtime.block_on(run)??;
        Ok(Relayed {
            reads: measured.stderr.lines().filter_map(read).collect(),
            received: received.load(Ordering::Relaxed),
        })
    }
}

async fn accept(listener: TcpListener, port: u16, received: Arc<AtomicU64>) {
    while let Ok((client, _)) = listener.accept().await {
        tokio::spawn(pass_on(client, port, Arc::clone(&received)));
    }
}

async fn pass_on(mut client: TcpStream, port: u16, received: Arc<AtomicU64>) -> Outcome<()> {
    let mut server = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).await?;
    let (mut from_client, mut to_client) = client.split();
    let (mut from_server, mut to_server) = server.split();
    let back = async {
        let mut buffer = vec![0; 64 * 1024];
        loop {
            let length = tokio::io::AsyncReadExt::read(&mut from_server, &mut buffer).await?;
            if length == 0 {
                break;
            }
            received.fetch_add(length as u64, Ordering::Relaxed);
            tokio::io::AsyncWriteExt::write_all(&mut to_client, &buffer[..length]).await?;
        }
        Ok::<_, std::io::Error>(())
    };
    let forth = tokio::io::copy(&mut from_client, &mut to_server);
    tokio::select! {
        result = back => result?,
        result = forth => drop(result?),
    }
    Ok(())
}

/// The request of a line of the program's log.
fn read(line: &str) -> Option<Request> {
    let (_, request) = line.split_once(" GET ")?;
    let uri = request.split(' ').next()?;
    Some(Request::get(uri, accept_of(uri)))
}

/// What the program accepts as the answer: metadata where it needs no more.
fn accept_of(uri: &str) -> &'static str {
    let path = uri.split('?').next().unwrap_or_default();
    let whole = uri.contains("fieldSelector=")
        || path.starts_with("/apis/")
        || path.starts_with("/api/v1/namespaces/source/secrets/");
    if whole {
        "application/json"
    } else {
        "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1"
    }
}
