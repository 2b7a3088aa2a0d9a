//! Whom a connection trusts: the modes of `sslmode`, own roots, client certificates.

use std::sync::Arc;

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::verify_server_name;
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, Error, RootCertStore, SignatureScheme};

use crate::sources::ledger::server::ServerError;

/// `sslmode`, as `psql` knows it; `allow` is read as `prefer`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mode {
    /// No TLS.
    Disable,
    /// TLS where the server has it; nobody is checked.
    Prefer,
    /// TLS; with an own root its chain is checked.
    Require,
    /// The chain is checked.
    VerifyCa,
    /// Chain and name are checked.
    VerifyFull,
}

const MODES: [(&str, Mode); 6] = [
    ("disable", Mode::Disable),
    ("allow", Mode::Prefer),
    ("prefer", Mode::Prefer),
    ("require", Mode::Require),
    ("verify-ca", Mode::VerifyCa),
    ("verify-full", Mode::VerifyFull),
];

impl Mode {
    pub(super) fn named(word: &str) -> Option<Self> {
        MODES.iter().find(|(known, _)| *known == word).map(|(_, mode)| *mode)
    }

    pub(super) fn word(self) -> &'static str {
        MODES.iter().rev().find(|(_, mode)| *mode == self).map_or("", |(word, _)| word)
    }
}

pub(super) fn unknown_mode() -> String {
    format!("sslmode is one of {}", MODES.map(|(word, _)| word).join(", "))
}

/// Files that a connection is told; `system` as a root means the roots of the system.
pub(super) struct Files {
    pub(super) root: Option<String>,
    pub(super) certificate: Option<String>,
    pub(super) key: Option<String>,
}

/// What a connection is made with, and whether the server is checked.
///
/// # Errors
/// Files that cannot be read.
pub(super) fn setting(mode: Mode, files: &Files) -> Result<(ClientConfig, bool), ServerError> {
    let provider = Arc::new(ring::default_provider());
    let checks = match mode {
        Mode::VerifyFull => Some(true),
        Mode::VerifyCa => Some(false),
        // As psql: a root that is named is used.
        Mode::Require if files.root.is_some() => Some(false),
        Mode::Require | Mode::Prefer | Mode::Disable => None,
    };
    let mut verifier =
        Verifier { provider: Arc::clone(&provider), chain: None, own: Vec::new(), name: false };
    if let Some(name) = checks {
        let (roots, own) = roots(files.root.as_deref())?;
        let chain = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
            .build()
            .map_err(|why| {
                ServerError::Setting(format!(
                    "the roots cannot be used: {why}; name one with sslrootcert=FILE"
                ))
            })?;
        verifier = Verifier { provider: Arc::clone(&provider), chain: Some(chain), own, name };
    }
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|why| ServerError::Setting(format!("TLS cannot be used: {why}")))?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier));
    let config = match (&files.certificate, &files.key) {
        (Some(certificate), Some(key)) => {
            let unusable = |file: &str, why: String| {
                ServerError::Setting(format!(
                    "the client certificate {file} cannot be used: {why}; check sslcert and sslkey"
                ))
            };
            let chain = certificates(certificate).map_err(|why| unusable(certificate, why))?;
            let key_of = PrivateKeyDer::from_pem_file(key).map_err(|why| unusable(key, why.to_string()))?;
            builder
                .with_client_auth_cert(chain, key_of)
                .map_err(|why| unusable(certificate, why.to_string()))?
        }
        _ => builder.with_no_client_auth(),
    };
    Ok((config, checks.is_some()))
}

fn certificates(file: &str) -> Result<Vec<CertificateDer<'static>>, String> {
    let all = CertificateDer::pem_file_iter(file).map_err(|why| why.to_string())?;
    all.collect::<Result<_, _>>().map_err(|why| why.to_string())
}

fn roots(file: Option<&str>) -> Result<(RootCertStore, Vec<CertificateDer<'static>>), ServerError> {
    let mut store = RootCertStore::empty();
    let Some(file) = file.filter(|file| *file != "system") else {
        store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        return Ok((store, Vec::new()));
    };
    let own = certificates(file).ok().filter(|own| !own.is_empty()).ok_or_else(|| {
        ServerError::Setting(format!(
            "sslrootcert {file} holds no certificate that can be read; check the path"
        ))
    })?;
    store.add_parsable_certificates(own.iter().cloned());
    Ok((store, own))
}

/// Checks as `sslmode` says. Signatures of the handshake are always checked.
#[derive(Debug)]
struct Verifier {
    provider: Arc<CryptoProvider>,
    chain: Option<Arc<WebPkiServerVerifier>>,
    /// Roots that were named: a server may use one of them itself.
    own: Vec<CertificateDer<'static>>,
    name: bool,
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        server_name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let Some(chain) = &self.chain else { return Ok(ServerCertVerified::assertion()) };
        if self.own.iter().any(|own| own.as_ref() == end_entity.as_ref()) {
            if self.name {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, server_name)?;
            }
            return Ok(ServerCertVerified::assertion());
        }
        match chain.verify_server_cert(end_entity, intermediates, server_name, ocsp, now) {
            Err(Error::InvalidCertificate(
                CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. },
            )) if !self.name => Ok(ServerCertVerified::assertion()),
            other => other,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        dss: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, cert, dss, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_by_their_words() {
        for (word, mode) in MODES {
            assert_eq!(Mode::named(word), Some(mode));
        }
        assert_eq!(Mode::named("maybe"), None);
        assert_eq!(Mode::Prefer.word(), "prefer");
        assert_eq!(
            unknown_mode(),
            "sslmode is one of disable, allow, prefer, require, verify-ca, verify-full"
        );
    }
}
