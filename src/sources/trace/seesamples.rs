#[test]
fn see() {
    let folder = std::path::Path::new("/work/shared/formats");
    for name in std::env::var("SEE").unwrap_or_default().split(' ') {
        let text = std::fs::read(folder.join(name)).unwrap();
        let spec =
            crate::sources::recording::spec(crate::sources::spec::What::Trace, Default::default(), &text);
        let opened = crate::sources::open::open(&spec, &crate::sources::open::Hints::default()).unwrap();
        let mut out = crate::sources::recording::Recording::default();
        let finished =
            opened.read_all(crate::model::row::SourceNo(0), &std::sync::Arc::default(), &mut out).unwrap();
        eprintln!(
            "=== {name} {} {:?} records={} used={} {:?}",
            opened.format, opened.framing, finished.records, out.used, finished.incomplete
        );
        for line in &out.lines {
            eprintln!("  {line}");
        }
    }
}
