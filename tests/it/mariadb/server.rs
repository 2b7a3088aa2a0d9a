//! A server of the tests' own, with TLS where openssl is there.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use mysql::prelude::Queryable as _;
use mysql::{Conn, OptsBuilder};

fn installed(name: &str) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    folders.push(PathBuf::from("/usr/sbin"));
    folders.into_iter().map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn run(command: &mut Command) -> Option<()> {
    let output = command.stdin(Stdio::null()).output().ok()?;
    if !output.status.success() {
        eprintln!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    output.status.success().then_some(())
}

/// A server, its data in a folder that goes with it.
pub struct Server {
    /// Data, certificates, socket.
    pub folder: tempfile::TempDir,
    /// Its port.
    pub port: u16,
    /// Has TLS.
    pub tls: bool,
    child: Child,
}

impl Server {
    /// Starts one; `None` where it is not installed.
    pub fn start() -> Option<Self> {
        let (install, program) = (installed("mariadb-install-db")?, installed("mariadbd")?);
        let folder = tempfile::tempdir().ok()?;
        let root = Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout.starts_with(b"0\n"));
        let user = if root { "mysql".to_owned() } else { std::env::var("USER").ok()? };
        let data = folder.path().join("data");
        std::fs::create_dir(&data).ok()?;
        let tls = certificates(&folder).is_some();
        if root {
            run(Command::new("chown").args(["-R", "mysql"]).arg(folder.path()))?;
        }
        let port = std::net::TcpListener::bind("127.0.0.1:0").ok()?.local_addr().ok()?.port();
        let at = |name: &str| folder.path().join(name).display().to_string();
        run(Command::new(install).args([
            "--no-defaults",
            "--skip-test-db",
            "--auth-root-authentication-method=normal",
            &format!("--user={user}"),
            &format!("--datadir={}", at("data")),
        ]))?;
        let mut command = Command::new(program);
        command.args([
            "--no-defaults",
            "--bind-address=127.0.0.1",
            "--log-bin=b",
            "--server-id=1",
            "--skip-name-resolve",
            "--innodb-flush-log-at-trx-commit=0",
            &format!("--user={user}"),
            &format!("--datadir={}", at("data")),
            &format!("--socket={}", at("socket")),
            &format!("--pid-file={}", at("pid")),
            &format!("--port={port}"),
        ]);
        if tls {
            command.args([
                format!("--ssl-cert={}", at("server.crt")),
                format!("--ssl-key={}", at("server.key")),
            ]);
        }
        let child = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
        let server = Self { folder, port, tls, child };
        let start = Instant::now();
        while start.elapsed() < Duration::from_secs(60) {
            if Conn::new(server.options("")).is_ok() {
                return Some(server);
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        None
    }

    fn options(&self, database: &str) -> OptsBuilder {
        OptsBuilder::new()
            .socket(Some(self.folder.path().join("socket").display().to_string()))
            .user(Some("root"))
            .db_name(Some(database).filter(|name| !name.is_empty()))
    }

    /// A connection of the owner.
    pub fn owner(&self, database: &str) -> Conn {
        let mut conn = Conn::new(self.options(database)).unwrap();
        conn.query_drop("set time_zone = '+00:00'").unwrap();
        conn
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A root, another one, and a certificate for the name `localhost` that the first signed.
fn certificates(folder: &tempfile::TempDir) -> Option<()> {
    let openssl = installed("openssl")?;
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(at("names"), "subjectAltName=DNS:localhost\n").ok()?;
    for name in ["root", "other"] {
        run(Command::new(&openssl)
            .args(["req", "-newkey", "rsa:2048", "-nodes", "-x509", "-days", "2"])
            .args([
                "-subj",
                &format!("/CN={name}"),
                "-keyout",
                &at(&format!("{name}.key")),
                "-out",
                &at(&format!("{name}.crt")),
            ]))?;
    }
    run(Command::new(&openssl)
        .args(["req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"])
        .args(["-keyout", &at("server.key"), "-out", &at("server.csr")]))?;
    run(Command::new(&openssl)
        .args(["x509", "-req", "-in", &at("server.csr"), "-CA", &at("root.crt"), "-CAkey", &at("root.key")])
        .args(["-CAcreateserial", "-days", "2", "-extfile", &at("names"), "-out", &at("server.crt")]))
}
