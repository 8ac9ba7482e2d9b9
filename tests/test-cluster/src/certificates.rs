//! The cluster's own certificate authority, and what it signs.

use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose,
};

use crate::error::Error;

/// Names and addresses under which the API server is reached, inside the cluster too.
const SERVED_NAMES: [&str; 6] = [
    "localhost",
    "127.0.0.1",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
];

/// rcgen takes each attribute of a name once only, but these two are the same on the wire.
const ORGANIZATIONS: [fn() -> DnType; 2] = [
    || DnType::OrganizationName,
    || DnType::CustomDnType(vec![2, 5, 4, 10]),
];

/// A certificate and its key, in PEM.
pub(crate) struct KeyedCertificate {
    pub(crate) certificate: String,
    pub(crate) key: String,
}

/// A key of its own, in PEM.
pub(crate) struct SigningKey {
    pub(crate) private: String,
    pub(crate) public: String,
}

/// A certificate authority that lives as long as its cluster.
pub(crate) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    own: KeyedCertificate,
}

impl Authority {
    pub(crate) fn new() -> Result<Self, Error> {
        let failed = failure("certificate authority");
        let key = KeyPair::generate().map_err(&failed)?;
        let mut params = named("test-cluster", &[]);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        let certificate = params.self_signed(&key).map_err(&failed)?.pem();
        let own = KeyedCertificate {
            certificate,
            key: key.serialize_pem(),
        };
        Ok(Self {
            issuer: Issuer::new(params, key),
            own,
        })
    }

    /// The authority's own certificate and key.
    pub(crate) fn own(&self) -> &KeyedCertificate {
        &self.own
    }

    /// A certificate for the API server, with these addresses beside those that it always has.
    pub(crate) fn server(&self, addresses: &[&str]) -> Result<KeyedCertificate, Error> {
        let more = addresses.iter();
        let more = more.filter(|address| !SERVED_NAMES.contains(address));
        let names = SERVED_NAMES.iter().chain(more).map(ToString::to_string);
        let mut params = CertificateParams::new(names.collect::<Vec<_>>())
            .map_err(failure("certificate of kube-apiserver"))?;
        params.distinguished_name = named("kube-apiserver", &[]).distinguished_name;
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        self.sign("kube-apiserver", &params)
    }

    /// A certificate for a user: Kubernetes takes the common name for the user's name, and
    /// organizations for groups.
    pub(crate) fn client(&self, user: &str, groups: &[&str]) -> Result<KeyedCertificate, Error> {
        if groups.len() > ORGANIZATIONS.len() {
            return Err(Error::TooManyGroups {
                user: user.to_owned(),
                most: ORGANIZATIONS.len(),
            });
        }
        let mut params = named(user, groups);
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.sign(user, &params)
    }

    fn sign(&self, subject: &str, params: &CertificateParams) -> Result<KeyedCertificate, Error> {
        let failed = failure(&format!("certificate of {subject}"));
        let key = KeyPair::generate().map_err(&failed)?;
        let certificate = params.signed_by(&key, &self.issuer).map_err(&failed)?.pem();
        Ok(KeyedCertificate {
            certificate,
            key: key.serialize_pem(),
        })
    }
}

impl SigningKey {
    /// A key that signs service-account tokens.
    pub(crate) fn new() -> Result<Self, Error> {
        let key = KeyPair::generate().map_err(failure("key for service accounts"))?;
        Ok(Self {
            private: key.serialize_pem(),
            public: key.public_key_pem(),
        })
    }
}

fn named(common_name: &str, organizations: &[&str]) -> CertificateParams {
    let mut name = DistinguishedName::new();
    name.push(DnType::CommonName, common_name);
    for (attribute, organization) in ORGANIZATIONS.iter().zip(organizations) {
        name.push(attribute(), *organization);
    }
    let mut params = CertificateParams::default();
    params.distinguished_name = name;
    params.use_authority_key_identifier_extension = true;
    params
}

fn failure(subject: &str) -> impl Fn(rcgen::Error) -> Error + use<> {
    let subject = subject.to_owned();
    move |source| Error::Certificate {
        subject: subject.clone(),
        source,
    }
}
