//! Loopback ports that nobody can take between choosing them and serving on them.
//!
//! Choosing a free port and then starting a server on it is a race that parallel test runs do
//! lose. So each port stays bound, without listening, for the cluster's whole life, with
//! `SO_REUSEPORT`: the kernel gives it to nobody else but the same user's sockets that ask for
//! sharing, and etcd and kube-apiserver have flags to do that. A restarted API server gets its old
//! port back for certain.

use std::os::fd::OwnedFd;

use rustix::net::{AddressFamily, SocketAddrV4, SocketFlags, SocketType};
use rustix::net::{bind, getsockname, socket_with, sockopt};

use crate::error::Error;

/// A port of 127.0.0.1 that is ours until this is dropped.
#[derive(Debug)]
pub(crate) struct ReservedPort {
    number: u16,
    _socket: OwnedFd,
}

impl ReservedPort {
    pub(crate) fn reserve() -> Result<Self, Error> {
        let (socket, number) = bind_any().map_err(Error::system("reserve a loopback port"))?;
        Ok(Self {
            number,
            _socket: socket,
        })
    }

    pub(crate) fn number(&self) -> u16 {
        self.number
    }
}

fn bind_any() -> rustix::io::Result<(OwnedFd, u16)> {
    let flags = SocketFlags::CLOEXEC;
    let socket = socket_with(AddressFamily::INET, SocketType::STREAM, flags, None)?;
    sockopt::set_socket_reuseport(&socket, true)?;
    bind(
        &socket,
        &SocketAddrV4::new(std::net::Ipv4Addr::LOCALHOST, 0),
    )?;
    let address = SocketAddrV4::try_from(getsockname(&socket)?)?;
    Ok((socket, address.port()))
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::net::{TcpListener, TcpStream};

    use super::*;

    #[test]
    fn nobody_else_can_listen_on_a_reserved_port() {
        let port = ReservedPort::reserve().expect("a port");
        let error = TcpListener::bind(("127.0.0.1", port.number())).expect_err("it is reserved");
        assert_eq!(error.kind(), ErrorKind::AddrInUse);
    }

    #[test]
    fn a_reserved_port_refuses_connections() {
        let port = ReservedPort::reserve().expect("a port");
        let error = TcpStream::connect(("127.0.0.1", port.number())).expect_err("nobody listens");
        assert_eq!(error.kind(), ErrorKind::ConnectionRefused);
    }

    #[test]
    fn a_dropped_port_is_free() {
        let number = ReservedPort::reserve().expect("a port").number();
        TcpListener::bind(("127.0.0.1", number)).expect("the port is free again");
    }
}
