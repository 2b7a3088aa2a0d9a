//! The loop: sleep until something arrives, take all that is queued, draw once.

use std::io::{self, IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::{Backend as _, CrosstermBackend};

use super::event::Event;
use super::loader::Loader;
use super::work::Workers;
use super::{clipboard, editor, input, signals, terminal};
use crate::app::layout::Size;
use crate::app::model::{Model, Setup};
use crate::app::msg::{Cmd, Msg};
use crate::app::session::remembered;
use crate::app::settle::booked::{Todo, Told};
use crate::app::update::{start, update};
use crate::report::mask::Mask;
use crate::ui::draw;
use crate::ui::theme::Theme;

/// Most events that are taken before something is drawn, so that a flood does not freeze the screen.
const BATCH: usize = 4_096;
/// Stands in for a terminal that says that it has no size (`reliability.md` 4.3).
const NO_SIZE: Size = Size { width: 80, height: 24 };

/// Why the screen was left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// A person left.
    Left,
    /// By a signal; shells expect 128 plus its number as the exit code.
    Signal(i32),
    /// The terminal is gone.
    TerminalGone,
}

/// Why the screen could not be opened or went wrong.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Output goes to a file or a pipe.
    #[error("standard output is not a terminal, so there is no screen; recount check prints the same facts")]
    NoTerminal,
    /// The terminal does not answer.
    #[error("the terminal does not answer: {0}; recount check prints the same facts without one")]
    Terminal(#[from] io::Error),
    /// A panic, which has been reported.
    #[error("a part of the program failed; its report stands above")]
    Panicked,
}

/// Runs the screen until a person leaves; `keep` gets what is to be remembered.
///
/// # Errors
/// Where there is no terminal, or it stops answering. The terminal has been given back then.
pub fn run(
    setup: Setup,
    loader: Arc<dyn Loader>,
    theme: &Theme,
    mask: Mask,
    keep: Keep<'_>,
) -> Result<Ended, RunError> {
    if !io::stdout().is_terminal() {
        return Err(RunError::NoTerminal);
    }
    terminal::use_mouse(setup.mouse);
    let guard = terminal::Guard::take()?;
    let ended = follow(setup, loader, theme, mask, keep);
    drop(guard);
    ended
}

/// Takes what is to be remembered: names and values.
pub type Keep<'k> = &'k dyn Fn(&[(String, String)]);

struct Loop<'a> {
    model: Model,
    screen: Terminal<CrosstermBackend<io::Stdout>>,
    theme: &'a Theme,
    mask: Mask,
    workers: Workers,
    /// When which message is over, earliest first.
    timers: Vec<(Instant, u64)>,
    ended: Option<Ended>,
}

fn follow(
    setup: Setup,
    loader: Arc<dyn Loader>,
    theme: &Theme,
    mask: Mask,
    keep: Keep<'_>,
) -> Result<Ended, RunError> {
    let (sender, events) = mpsc::channel();
    let screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    let mut this = Loop {
        model: Model::new(setup, NO_SIZE),
        screen,
        theme,
        mask,
        workers: Workers::start(sender.clone(), loader)?,
        timers: Vec::new(),
        ended: None,
    };
    // The first frame needs no data: it stands before anything is read.
    this.draw()?;
    let first = start(&this.model);
    this.act(first)?;
    signals::start(sender.clone())?;
    input::start(sender)?;
    if this.model.setup.watch > 0 {
        this.workers.watch(this.model.setup.watch)?;
    }
    loop {
        let Some(event) = this.wait(&events)? else {
            continue;
        };
        this.take(event)?;
        for event in events.try_iter().take(BATCH) {
            if this.ended.is_some() {
                break;
            }
            this.take(event)?;
        }
        if let Some(ended) = this.ended {
            // What was never seen changes nothing of what is remembered.
            if this.model.case().is_some() {
                keep(&remembered(&this.model));
            }
            return Ok(ended);
        }
        this.draw()?;
    }
}

impl Loop<'_> {
    /// Sleeps until something arrives; a timer that runs out is a message.
    fn wait(&self, events: &Receiver<Event>) -> Result<Option<Event>, RunError> {
        let Some((due, message)) = self.timers.first() else {
            return events.recv().map(Some).map_err(|_| RunError::Panicked);
        };
        match events.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(event) => Ok(Some(event)),
            Err(RecvTimeoutError::Timeout) => Ok(Some(Event::Msg(Msg::MessageOver(*message)))),
            Err(RecvTimeoutError::Disconnected) => Err(RunError::Panicked),
        }
    }

    fn take(&mut self, event: Event) -> Result<(), RunError> {
        if terminal::panicked() {
            return Err(RunError::Panicked);
        }
        match event {
            Event::Msg(msg) => {
                if let Msg::MessageOver(over) = msg {
                    self.timers.retain(|(_, message)| *message != over);
                }
                let cmds = update(&mut self.model, msg);
                self.act(cmds)?;
            }
            Event::End(signal) => self.ended = Some(Ended::Signal(signal)),
            Event::Gone => self.ended = Some(Ended::TerminalGone),
            Event::Panicked => return Err(RunError::Panicked),
            Event::Stop => self.suspend()?,
            Event::Continued => self.retake()?,
        }
        Ok(())
    }

    fn act(&mut self, cmds: Vec<Cmd>) -> Result<(), RunError> {
        for cmd in cmds {
            match (cmd, self.model.case()) {
                (Cmd::Load { generation, demo }, _) => self.workers.load(generation, demo),
                (Cmd::StopLoad, _) => self.workers.stop_load(),
                (Cmd::Search { generation, search, query }, Some(case)) => {
                    self.workers.search(Arc::clone(case), generation, search, query);
                }
                (Cmd::ReadRaw { request, at }, Some(case)) => {
                    self.workers.read_raw(Arc::clone(case), request, at);
                }
                (Cmd::Report { intent }, Some(case)) => self.workers.report(Arc::clone(case), intent),
                (Cmd::Settle(Todo::Edit { request, text }), _) => {
                    let text = self.lend(|| editor::edit(&text, |name| std::env::var(name).ok()))?;
                    let cmds = update(&mut self.model, Msg::Settled(Told::Edited(request, text)));
                    self.act(cmds)?;
                }
                (Cmd::Settle(todo), Some(case)) => self.workers.settle(Arc::clone(case), todo),
                (Cmd::Export(view), Some(case)) => self.workers.export(Arc::clone(case), view),
                (cmd @ (Cmd::Sort { .. } | Cmd::Group { .. } | Cmd::Everything { .. }), Some(case)) => {
                    self.workers.look_up(Arc::clone(case), cmd);
                }
                (
                    Cmd::Search { .. }
                    | Cmd::ReadRaw { .. }
                    | Cmd::Report { .. }
                    | Cmd::Sort { .. }
                    | Cmd::Group { .. }
                    | Cmd::Everything { .. }
                    | Cmd::Export(_)
                    | Cmd::Settle(_),
                    None,
                ) => {}
                (Cmd::Timer { message, millis }, _) => {
                    self.timers.push((Instant::now() + Duration::from_millis(millis), message));
                    self.timers.sort_unstable();
                }
                (Cmd::Copy { what, copied }, _) => {
                    let text = clipboard::text(&copied, &self.mask);
                    let variable = |name: &str| std::env::var(name).ok();
                    let sent = clipboard::send(what, &text, self.screen.backend_mut(), variable);
                    let cmds = update(&mut self.model, Msg::Sent(sent));
                    self.act(cmds)?;
                }
                (Cmd::Bell, _) => {
                    // A bell moves nothing on the screen.
                    io::stdout().write_all(b"\x07")?;
                    io::stdout().flush()?;
                }
                (Cmd::Suspend, _) => self.suspend()?,
                (Cmd::Quit, _) => self.ended = Some(Ended::Left),
            }
        }
        Ok(())
    }

    /// Gives the terminal to another program, and takes it back when that has ended.
    fn lend<T>(&mut self, work: impl FnOnce() -> T) -> Result<T, RunError> {
        let paused = input::pause();
        terminal::give_back();
        let done = work();
        self.retake()?;
        drop(paused);
        Ok(done)
    }

    /// Gives the terminal to the shell until the program is continued.
    fn suspend(&mut self) -> Result<(), RunError> {
        terminal::give_back();
        signals::stop();
        self.retake()
    }

    /// The shell may have drawn and set modes: everything is drawn anew.
    fn retake(&mut self) -> Result<(), RunError> {
        terminal::take()?;
        // Not `Terminal::clear`: it asks for the place of the cursor, and the input thread would take the answer.
        self.screen.backend_mut().clear()?;
        self.screen = Terminal::new(CrosstermBackend::new(io::stdout()))?;
        Ok(())
    }

    fn draw(&mut self) -> Result<(), RunError> {
        if terminal::panicked() {
            return Err(RunError::Panicked);
        }
        // The size is asked for once, and everything is laid out for it.
        self.screen.autoresize()?;
        let area = self.screen.size()?;
        let size = Size { width: area.width, height: area.height };
        let size = if size.width == 0 || size.height == 0 { NO_SIZE } else { size };
        if size != self.model.size {
            let cmds = update(&mut self.model, Msg::Resized(size));
            self.act(cmds)?;
        }
        let frame = draw(&self.model);
        if let Some((first, most)) = frame.scroll {
            self.model.drawn(first, most);
        }
        let theme = self.theme;
        self.screen.draw(|target| frame.canvas.paint(theme, target.area(), target.buffer_mut()))?;
        Ok(())
    }
}
