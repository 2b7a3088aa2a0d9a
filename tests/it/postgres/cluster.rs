//! A cluster of the tests' own, with TLS and passwords, and a replica of it.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub fn free_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A program of the path, or of the server's own folder.
pub fn installed(name: &str) -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = std::env::split_paths(&std::env::var_os("PATH")?).collect();
    folders.push(PathBuf::from("/usr/sbin"));
    let versions = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    folders.extend(versions.map(|version| version.path().join("bin")));
    folders.into_iter().map(|folder| folder.join(name)).find(|path| path.is_file())
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|output| output.stdout.starts_with(b"0\n"))
}

/// Servers refuse to run as root.
pub fn as_postgres(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    command
}

pub fn give(folder: &Path) {
    if is_root() {
        let _ = Command::new("chown").args(["-R", "postgres"]).arg(folder).status();
    }
}

/// A cluster of the test's own, with TLS and passwords, and a replica of it.
pub struct Cluster {
    /// Certificates, keys, data.
    pub folder: tempfile::TempDir,
    /// Port of the primary.
    pub port: u16,
    /// Port of the replica.
    pub replica: u16,
}

impl Cluster {
    /// Both servers, running; `None` where the programs of a server are not installed.
    pub fn start() -> Option<Self> {
        let initdb = installed("initdb")?;
        let cluster = Self { folder: tempfile::tempdir().ok()?, port: free_port(), replica: free_port() };
        give(cluster.folder.path());
        let data = cluster.folder.path().join("primary");
        run(as_postgres(&initdb).args(["-A", "trust", "-U", "postgres", "-N", "-D"]).arg(&data))?;
        cluster.certificates(&data)?;
        std::fs::write(
            data.join("pg_hba.conf"),
            "hostssl all locked 127.0.0.1/32 scram-sha-256\nhostssl all certified 127.0.0.1/32 cert\nhostnossl all locked 127.0.0.1/32 reject\nhost all all 127.0.0.1/32 trust\nhost replication all 127.0.0.1/32 trust\n",
        )
        .ok()?;
        let setting = format!(
            "listen_addresses = '127.0.0.1'\nport = {}\nunix_socket_directories = ''\nssl = on\nssl_ca_file = '{}'\nfsync = off\nwal_level = replica\n\
             max_prepared_transactions = 2\nmax_standby_streaming_delay = 0\n",
            cluster.port,
            cluster.folder.path().join("root.crt").display()
        );
        std::fs::write(data.join("postgresql.auto.conf"), setting).ok()?;
        give(cluster.folder.path());
        cluster.control("primary", "start")?;
        let copy = cluster.folder.path().join("replica");
        let backup = installed("pg_basebackup")?;
        let port = cluster.port.to_string();
        run(as_postgres(&backup)
            .args(["-h", "127.0.0.1", "-p", &port, "-U", "postgres", "-c", "fast", "-R", "-D"])
            .arg(&copy))?;
        let auto = std::fs::read_to_string(copy.join("postgresql.auto.conf")).ok()?;
        let auto =
            auto.replace(&format!("port = {}\n", cluster.port), &format!("port = {}\n", cluster.replica));
        std::fs::write(copy.join("postgresql.auto.conf"), auto).ok()?;
        give(cluster.folder.path());
        cluster.control("replica", "start")?;
        Some(cluster)
    }

    /// A root, and a certificate of the server for the name `localhost` that it signed.
    fn certificates(&self, data: &Path) -> Option<()> {
        let file = |name: &str| self.folder.path().join(name).to_string_lossy().into_owned();
        let (root, root_key, request) = (file("root.crt"), file("root.key"), file("request"));
        let key = data.join("server.key").to_string_lossy().into_owned();
        let certificate = data.join("server.crt").to_string_lossy().into_owned();
        std::fs::write(file("names"), "subjectAltName=DNS:localhost\n").ok()?;
        let new = ["req", "-newkey", "rsa:2048", "-nodes"];
        let openssl = installed("openssl")?;
        run(Command::new(&openssl)
            .args(new)
            .args(["-x509", "-subj", "/CN=root", "-days", "2", "-keyout", &root_key, "-out", &root]))?;
        run(Command::new(&openssl).args(new).args([
            "-x509",
            "-subj",
            "/CN=other",
            "-days",
            "2",
            "-keyout",
            &file("other.key"),
            "-out",
            &file("other.crt"),
        ]))?;
        run(Command::new(&openssl).args(new).args([
            "-subj",
            "/CN=localhost",
            "-keyout",
            &key,
            "-out",
            &request,
        ]))?;
        run(Command::new(&openssl)
            .args(["x509", "-req", "-in", &request, "-CA", &root, "-CAkey", &root_key, "-CAcreateserial"])
            .args(["-days", "2", "-extfile", &file("names"), "-out", &certificate]))?;
        // A certificate of a client, for the role `certified`.
        let (client_key, client) = (file("client.key"), file("client.crt"));
        run(Command::new(&openssl).args(new).args([
            "-subj",
            "/CN=certified",
            "-keyout",
            &client_key,
            "-out",
            &file("client.csr"),
        ]))?;
        run(Command::new(&openssl)
            .args(["x509", "-req", "-in", &file("client.csr"), "-CA", &root, "-CAkey", &root_key])
            .args(["-CAcreateserial", "-days", "2", "-extfile", &file("names"), "-out", &client]))?;
        run(Command::new("chmod").args(["600", &key]))
    }

    fn control(&self, which: &str, what: &str) -> Option<()> {
        let control = installed("pg_ctl")?;
        let folder = self.folder.path();
        run(as_postgres(&control)
            .args(["-w", "-m", "immediate", "-D"])
            .arg(folder.join(which))
            .arg("-l")
            .arg(folder.join(which).join("log"))
            .arg(what))
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = self.control("replica", "stop");
        let _ = self.control("primary", "stop");
    }
}

/// Runs a command; its words stand in the test's output where it fails.
pub fn run(command: &mut Command) -> Option<()> {
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).output().ok()?;
    if !output.status.success() {
        eprintln!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    output.status.success().then_some(())
}
