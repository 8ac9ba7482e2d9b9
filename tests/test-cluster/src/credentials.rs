//! All keys, certificates and tokens of a cluster, written into its folder.

use std::net::{Ipv4Addr, SocketAddrV4};
use std::path::{Path, PathBuf};

use crate::certificates::{Authority, KeyedCertificate, SigningKey};
use crate::digest::hexadecimal;
use crate::directory::ClusterDirectory;
use crate::error::Error;
use crate::{arguments, kubeconfig};

/// The group that may do everything.
const ADMINISTRATORS: &str = "system:masters";

/// The file name of the administrator's kubeconfig.
pub(crate) const KUBECONFIG: &str = "kubeconfig";

/// What users need to show, and the authority behind it.
pub(crate) struct Credentials {
    authority: Authority,
    url: String,
    pub(crate) admin: KeyedCertificate,
    pub(crate) admin_token: String,
    pub(crate) stranger_token: String,
}

impl Credentials {
    /// Those of a cluster whose API server is at this address.
    pub(crate) fn create(
        directory: &ClusterDirectory,
        address: SocketAddrV4,
    ) -> Result<Self, Error> {
        let authority = Authority::new()?;
        let credentials = Self {
            admin: authority.client("admin", &[ADMINISTRATORS])?,
            authority,
            url: format!("https://{address}"),
            admin_token: random_token()?,
            stranger_token: random_token()?,
        };
        credentials.write(directory, *address.ip())?;
        Ok(credentials)
    }

    pub(crate) fn url(&self) -> &str {
        &self.url
    }

    pub(crate) fn ca(&self) -> &str {
        &self.authority.own().certificate
    }

    pub(crate) fn admin_kubeconfig(&self) -> String {
        kubeconfig::text(&self.url, self.ca(), "admin", &self.admin)
    }

    /// Writes a kubeconfig for a new user.
    pub(crate) fn write_user(
        &self,
        folder: &Path,
        name: &str,
        groups: &[&str],
    ) -> Result<PathBuf, Error> {
        if name.is_empty() || name.starts_with('.') || name.contains(['/', '\n', '\0']) {
            return Err(Error::UserName(name.to_owned()));
        }
        let text = self.user_kubeconfig(name, groups)?;
        let path = folder.join(format!("{name}.{KUBECONFIG}"));
        std::fs::write(&path, text).map_err(Error::file("write", &path))?;
        Ok(path)
    }

    /// The text of a kubeconfig for a new user.
    pub(crate) fn user_kubeconfig(&self, name: &str, groups: &[&str]) -> Result<String, Error> {
        let certificate = self.authority.client(name, groups)?;
        let text = kubeconfig::text(&self.url, self.ca(), name, &certificate);
        Ok(text)
    }

    fn write(&self, directory: &ClusterDirectory, address: Ipv4Addr) -> Result<(), Error> {
        let service = arguments::api_server_service_address();
        write_pair(directory, "ca", self.authority.own())?;
        write_pair(directory, "admin", &self.admin)?;
        write_pair(
            directory,
            "kube-apiserver",
            &self.authority.server(&[service, &address.to_string()])?,
        )?;
        let signing = SigningKey::new()?;
        directory.write("service-accounts.key", &signing.private)?;
        directory.write("service-accounts.pub", &signing.public)?;
        directory.write("tokens.csv", &self.tokens())?;
        directory.write(KUBECONFIG, &self.admin_kubeconfig())?;
        Ok(())
    }

    /// Lines of token, user, uid, groups.
    fn tokens(&self) -> String {
        let Self {
            admin_token,
            stranger_token,
            ..
        } = self;
        format!(
            "{admin_token},token-admin,token-admin,\"{ADMINISTRATORS}\"\n\
             {stranger_token},token-stranger,token-stranger\n"
        )
    }
}

fn write_pair(
    directory: &ClusterDirectory,
    name: &str,
    pair: &KeyedCertificate,
) -> Result<(), Error> {
    directory.write(&format!("{name}.crt"), &pair.certificate)?;
    directory.write(&format!("{name}.key"), &pair.key)?;
    Ok(())
}

fn random_token() -> Result<String, Error> {
    let mut bytes = [0; 16];
    rustix::rand::getrandom(&mut bytes, rustix::rand::GetRandomFlags::empty())
        .map_err(Error::system("get random bytes"))?;
    Ok(hexadecimal(&bytes))
}
