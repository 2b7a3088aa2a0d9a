//! `config show`, `config check`, `config template`, `config path`: what holds and where it comes from, what is wrong,
//! and a commented file (`7-commands.md` 7.5.3, 8.4).

use std::path::{Path, PathBuf};

use crate::config::show::{Layer, Row, rows};
use crate::config::template::{Which, template};
use crate::config::user::{self, Origin};
use crate::config::written::{self, Written};
use crate::config::{Config, ConfigError, NAME, case, hazards};
use crate::report::file::shown;
use crate::report::out::Out;
use crate::report::pen::Pen;
use crate::text::{SafeText, pad_right, redact, width};

use super::call::Call;
use super::failure::{Failure, INPUT};
use super::options::{Set, Takes, flag, one};
use super::settings;

/// Whose config, and what the screen would be told beside it.
#[rustfmt::skip]
pub const WHERE: Set = Set { heading: "which", options: &[
    one("case", "DIR", Takes::Path, "the case folder; the same as its path; default the current folder, if it is a case"),
    one("config", "F", Takes::Path, "this file in place of that of a case"),
] };

/// Options of the screen that `show` tells the origin of.
#[rustfmt::skip]
pub const LOOK: Set = Set { heading: "as the screen would be opened", options: &[
    one("theme", "NAME", Takes::Text, "a theme"),
    flag("local-time", "times in the local zone"),
    flag("mouse", "the mouse is used"),
    flag("bell", "a bell on a new violation"),
] };

/// Which rows of `show`.
#[rustfmt::skip]
pub const ROWS: Set = Set { heading: "rows", options: &[
    flag("set", "only what is set somewhere"),
] };

/// Which file `template` makes.
#[rustfmt::skip]
pub const TEMPLATE: Set = Set { heading: "which", options: &[
    flag("user", "the config of the user: [ui], themes, views and keys"),
    one("out", "F", Takes::Path, "into a file, never over another one; its path is printed"),
    flag("force", "--out may overwrite"),
] };

/// The configs of a call.
struct Files {
    /// The user's, where there is one.
    user: Option<PathBuf>,
    /// That of the case.
    case: Option<PathBuf>,
}

impl Files {
    fn of(call: &Call) -> Result<Self, Failure> {
        let mut named: Vec<PathBuf> = call.paths("paths").into_iter().map(PathBuf::from).collect();
        named.extend(call.path("case").into_iter().chain(call.path("config")));
        let case = match named.as_slice() {
            [] => Some(PathBuf::from(NAME)).filter(|path| path.is_file()),
            [one] if one.is_dir() => Some(one.join(NAME)),
            [one] => Some(one.clone()),
            _ => return Err(Failure::usage("a command reads one config at a time; name one case")),
        };
        if let Some(path) = case.as_ref().filter(|path| !path.is_file()) {
            return Err(Failure::input(&format!(
                "{} is not there: recount case init DIR FILES makes a case, recount config template a file to begin with",
                shown(path)
            )));
        }
        let user = user::path().filter(|path| path.exists());
        Ok(Self { user, case })
    }
}

/// A file with what it sets and what nobody knows in it.
struct Read {
    path: PathBuf,
    text: String,
    written: Vec<Written>,
    unknown: Vec<ConfigError>,
}

fn read(path: &Path) -> Result<Read, ConfigError> {
    let text = std::fs::read_to_string(path).map_err(|why| ConfigError::unreadable(path, &why))?;
    let (written, unknown) = written::read(path, &text)?;
    Ok(Read { path: path.to_owned(), text, written, unknown })
}

/// `config show`.
pub fn show(call: &Call) -> Result<u8, Failure> {
    let files = Files::of(call)?;
    let input = |why: ConfigError| Failure::input(&why.to_string());
    let mut layers = Vec::new();
    let (mut user_config, mut case_config) = (Config::default(), Config::default());
    if let Some(path) = &files.user {
        layers.push(Layer { origin: Origin::User, written: read(path).map_err(input)?.written });
        user_config = user::load().map_err(input)?;
    }
    if let Some(path) = &files.case {
        case_config = crate::config::read(path).map_err(input)?;
        let mut written = read(path).map_err(input)?.written;
        let elsewhere = policy_file(path, &written).map(|file| read(&file)).transpose().map_err(input)?;
        let is_policy = |w: &Written| w.path.first().is_some_and(|first| first == "policy");
        if elsewhere.is_some() {
            // The whole section comes from there.
            written.retain(|w| !is_policy(w) || w.name() == "policy.file");
        }
        layers.push(Layer { origin: Origin::Case, written });
        if let Some(file) = elsewhere {
            let written = file.written.into_iter().filter(is_policy).collect();
            layers.push(Layer { origin: Origin::PolicyFile, written });
        }
    }
    let given = settings::given(call, &user_config, &case_config);
    let mut all = rows(&layers, &given);
    if call.flag("set") {
        all.retain(|row| row.origin != Origin::BuiltIn);
    }
    let heads: Vec<(&str, Option<&PathBuf>)> =
        vec![("user config", files.user.as_ref()), (NAME, files.case.as_ref())];
    call.print(|out| match call.format() {
        "json" => json(&all, &heads, out),
        _ => text(&all, &heads, out),
    })?;
    Ok(0)
}

/// The file that takes the place of `[policy]`.
fn policy_file(path: &Path, written: &[Written]) -> Option<PathBuf> {
    let set = written.iter().find(|w| w.name() == "policy.file")?;
    let file = plain(&set.value);
    let folder = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.join(file))
}

/// A text value of TOML without its quotes; any other as it is written.
fn plain(value: &str) -> String {
    match parsed(value) {
        Some(toml::Value::String(text)) => text,
        _ => value.to_owned(),
    }
}

fn parsed(value: &str) -> Option<toml::Value> {
    let table: toml::Table = toml::from_str(&format!("v = {value}")).ok()?;
    table.get("v").cloned()
}

/// What may be printed of a value: an address without its secrets, no other secret, nothing that a terminal obeys.
fn value_of(row: &Row) -> Option<String> {
    let value = row.value.as_deref()?;
    let shown = if row.name.rsplit('.').next() == Some("url") {
        toml::Value::String(crate::text::url(&plain(value))).to_string()
    } else {
        redact(value).into_owned()
    };
    Some(SafeText::new(&shown).shown().into_owned())
}

fn origin_of(row: &Row) -> String {
    if row.line == 0 {
        row.origin.word().to_owned()
    } else {
        format!("{} line {}", row.origin.word(), row.line)
    }
}

/// Widest key and value of the text; what is wider has no cells to align with.
const WIDE: usize = 44;

fn text(rows: &[Row], heads: &[(&str, Option<&PathBuf>)], out: &mut Out<'_>) {
    for (name, path) in heads {
        let path = path.map_or_else(|| "none".to_owned(), |path| shown(path));
        out.line(&format!("{}{path}", pad_right(format!("{name}:"), 14)));
    }
    let cells: Vec<[String; 4]> = rows
        .iter()
        .map(|row| {
            let value =
                value_of(row).map_or_else(|| format!("– ({})", row.without), |value| format!("= {value}"));
            [SafeText::new(&row.name).shown().into_owned(), value, origin_of(row), row.unit.to_owned()]
        })
        .collect();
    let widest =
        |at: usize| cells.iter().map(|row| width(&row[at])).filter(|w| *w <= WIDE).max().unwrap_or(0);
    let widths = [widest(0), widest(1), widest(2)];
    let mut section = "";
    for (cells, row) in cells.iter().zip(rows) {
        let of = row.name.split('.').next().unwrap_or_default();
        if of != section {
            out.line("");
            section = of;
        }
        let [name, value, origin, unit] = cells;
        let [a, b, c] = widths;
        out.line(&format!(
            "{}  {}  {}  {unit}",
            pad_right(name, a),
            pad_right(value, b),
            pad_right(origin, c)
        ));
    }
}

fn json(rows: &[Row], heads: &[(&str, Option<&PathBuf>)], out: &mut Out<'_>) {
    let mut pen = Pen::new();
    pen.open("{");
    pen.name("schema").text("recount.config.v1");
    for (name, (_, path)) in ["user_config", "case_config"].into_iter().zip(heads) {
        pen.name(name).text_or_null(&path.map(|path| shown(path)).unwrap_or_default());
    }
    pen.name("keys").open("[");
    for row in rows {
        pen.new_line();
        pen.object(|pen| {
            pen.name("key").text(&row.name);
            pen.name("value");
            match value_of(row).as_deref().map(|value| parsed(value).ok_or(value)) {
                None => pen.null(),
                Some(Ok(value)) => native(&value, pen),
                Some(Err(text)) => {
                    pen.text(text);
                }
            }
            pen.name("without").text_or_null(if row.value.is_some() { "" } else { row.without });
            pen.name("unit").text(row.unit);
            pen.name("origin").text(row.origin.word());
            pen.name("line");
            if row.line == 0 {
                pen.null();
            } else {
                pen.number(row.line);
            }
        });
    }
    pen.close_lines("]");
    pen.close("}");
    out.line(&pen.take());
}

/// A value of TOML as JSON; a time is its text, and so is a number with a fraction, which JSON readers would round.
fn native(value: &toml::Value, pen: &mut Pen) {
    match value {
        toml::Value::String(text) => {
            pen.text(text);
        }
        toml::Value::Integer(number) => {
            pen.number(*number);
        }
        toml::Value::Boolean(truth) => {
            pen.truth(*truth);
        }
        toml::Value::Array(all) => pen.each(all, |pen, value| native(value, pen)),
        toml::Value::Table(all) => pen.object(|pen| {
            for (name, value) in all {
                pen.name(name);
                native(value, pen);
            }
        }),
        toml::Value::Float(_) | toml::Value::Datetime(_) => {
            pen.text(&value.to_string());
        }
    }
}

/// `config check`: everything that is wrong, each with its place.
pub fn check(call: &Call) -> Result<u8, Failure> {
    let files = Files::of(call)?;
    let mut found: Vec<ConfigError> = Vec::new();
    let mut good: Vec<String> = Vec::new();
    let (mut user_config, mut case_config) = (Config::default(), Config::default());
    let of = [(&files.user, true, &mut user_config), (&files.case, false, &mut case_config)];
    for (path, is_user, config) in of {
        let Some(path) = path else { continue };
        let before = found.len();
        match one_file(path, is_user, &mut found) {
            Some(read) => *config = read,
            None => continue,
        }
        if found.len() == before {
            good.push(shown(path));
        }
    }
    if found.is_empty() {
        found.extend(settings::problems(&user_config, &case_config));
    }
    if found.is_empty() {
        let what = match good.as_slice() {
            [] => format!(
                "there is no config: no {NAME} here, and none at {}; the built-in values hold",
                user::path().map_or_else(|| "the user's place".to_owned(), |path| shown(&path))
            ),
            files => format!("{}: every key is known and every value fits", files.join(", ")),
        };
        call.to_stdout(call.flag("ascii"), |out| out.line(&what))?;
        return Ok(0);
    }
    for error in &found {
        call.notes.error(&error.to_string());
    }
    let things =
        if found.len() == 1 { "1 thing is".to_owned() } else { format!("{} things are", found.len()) };
    Err(Failure { exit: INPUT, text: format!("{things} wrong; recount config template shows every key") })
}

/// Reads one file as far as it goes: unknown keys first, each of them, then the first value that does not fit.
fn one_file(path: &Path, is_user: bool, found: &mut Vec<ConfigError>) -> Option<Config> {
    let file = match read(path) {
        Ok(file) => file,
        Err(why) => {
            found.push(why);
            return None;
        }
    };
    let foreign = if is_user { user::foreign(&file.path, &file.text) } else { None };
    let wrong = !file.unknown.is_empty();
    found.extend(file.unknown);
    found.extend(foreign);
    match crate::config::read(path) {
        Ok(config) => {
            if let Some(why) = case::spec(&config).err().or_else(|| hazards::asked(&config).err()) {
                found.push(why);
            }
            Some(config)
        }
        Err(why) => {
            // A key that nobody knows has been named already, with its line.
            if !wrong {
                found.push(why);
            }
            None
        }
    }
}

/// `config template`.
pub fn make(call: &Call) -> Result<u8, Failure> {
    let which = if call.flag("user") { Which::User } else { Which::Case };
    call.print(|out| out.text(&template(which)))?;
    Ok(0)
}

/// `config path`: where the config of the user is looked for; of a case, where it stands.
pub fn path(call: &Call) -> Result<u8, Failure> {
    let named = !call.paths("paths").is_empty() || call.path("case").is_some();
    let path = if named { Files::of(call)?.case } else { user::path() };
    let Some(path) = path else {
        return Err(Failure::input(
            "there is no place for a config: neither XDG_CONFIG_HOME nor HOME is set; set one of them",
        ));
    };
    if !path.exists() {
        call.notes.note(&format!(
            "{} is not there; recount config template --user --out {} makes one",
            shown(&path),
            crate::text::shell_path(&path)
        ));
    }
    call.to_stdout(false, |out| out.line(&shown(&path)))?;
    Ok(0)
}
