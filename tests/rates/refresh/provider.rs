//! A provider of the test's own: it answers what it was last told to, and remembers who asked.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
};

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
};

/// A running provider; it ends with the test's runtime.
pub struct Provider {
    port: u16,
    state: Arc<Mutex<State>>,
}

#[derive(Default)]
struct State {
    answers: BTreeMap<String, Answer>,
    requests: Vec<String>,
}

/// What is answered at a path.
#[derive(Clone)]
pub enum Answer {
    /// A status and a body.
    Whole(u16, String),
    /// A body that breaks off in the middle.
    Half(String),
    /// Nothing, for as long as anybody waits.
    Never,
}

impl Provider {
    /// Starts one that knows nothing yet: all paths are 404.
    pub async fn start() -> Self {
        let listener = TcpListener::bind(("127.0.0.1", 0))
            .await
            .expect("a free port");
        let port = listener.local_addr().expect("a bound port").port();
        let state = Arc::<Mutex<State>>::default();
        let shared = Arc::clone(&state);
        tokio::spawn(async move {
            loop {
                let (stream, _) = listener.accept().await.expect("connections come in");
                tokio::spawn(serve(stream, Arc::clone(&shared)));
            }
        });
        Self { port, state }
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}{path}", self.port)
    }

    /// From now on, this path answers so.
    pub fn answer(&self, path: &str, answer: Answer) {
        let mut state = self.state.lock().expect("no holder panics");
        state.answers.insert(path.to_owned(), answer);
    }

    /// From now on, this path has this body.
    pub fn has(&self, path: &str, body: impl Into<String>) {
        self.answer(path, Answer::Whole(200, body.into()));
    }

    /// The heads of the requests since the last call.
    pub fn requests(&self) -> Vec<String> {
        std::mem::take(&mut self.state.lock().expect("no holder panics").requests)
    }

    /// The paths and queries of the requests since the last call.
    pub fn targets(&self) -> Vec<String> {
        let requests = self.requests();
        requests
            .iter()
            .map(|head| target(head).to_owned())
            .collect()
    }

    /// Waits until somebody asks.
    pub async fn is_asked(&self) {
        while self
            .state
            .lock()
            .expect("no holder panics")
            .requests
            .is_empty()
        {
            tokio::task::yield_now().await;
        }
    }
}

fn target(head: &str) -> &str {
    head.split(' ').nth(1).unwrap_or_default()
}

/// A client that goes away is none of the provider's business.
async fn serve(mut stream: TcpStream, state: Arc<Mutex<State>>) {
    let Some(head) = read_head(&mut stream).await else {
        return;
    };
    let answer = {
        let mut state = state.lock().expect("no holder panics");
        let path = target(&head).split('?').next().unwrap_or_default();
        let known = state.answers.get(path).cloned();
        state.requests.push(head);
        known.unwrap_or_else(|| Answer::Whole(404, "there is nothing here".to_owned()))
    };
    let (status, body, sent) = match &answer {
        Answer::Whole(status, body) => (*status, body, body.len()),
        Answer::Half(body) => (200, body, body.len() / 2),
        Answer::Never => {
            let _ = stream.read(&mut [0]).await;
            return;
        }
    };
    let head = format!(
        "HTTP/1.1 {status} x\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let _ = stream.write_all(head.as_bytes()).await;
    let _ = stream.write_all(&body.as_bytes()[..sent]).await;
    let _ = stream.shutdown().await;
}

/// The head of a request, up to the empty line.
async fn read_head(stream: &mut TcpStream) -> Option<String> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        head.push(stream.read_u8().await.ok()?);
    }
    String::from_utf8(head).ok()
}
