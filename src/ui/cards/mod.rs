//! Screens without a list: nothing loaded, reading, nothing wrong, could not be read, too small.

mod clean;
mod failed;
mod first_run;
mod loading;

pub use clean::clean;
pub use failed::failed;
pub use first_run::first_run;
pub use loading::loading;

use super::canvas::Canvas;
use super::role::Role;
use crate::app::layout::FORMS;
use crate::text::wrap;

/// The terminal is too small (`6-screens.md` 7.1.1).
pub fn too_small(canvas: &mut Canvas) {
    let (width, height) = (canvas.width(), canvas.height());
    let (_, least_width, least_height) = FORMS[FORMS.len() - 1];
    let text = format!("this terminal is {width} x {height}, recount needs {least_width} x {least_height}");
    let lines = wrap(text, usize::from(width));
    let top = height.saturating_sub(u16::try_from(lines.len()).unwrap_or(1)) / 2;
    for (row, line) in (top..height).zip(lines) {
        canvas.put(0, row, &line, Role::Text);
    }
}
