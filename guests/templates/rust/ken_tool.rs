//! The functions with which a tool talks to ken. They are part of your tool: change them as you like.
//! This is the canonical ABI of the world `tool`, written by hand, so that no binding generator is needed.

use std::alloc::{alloc, realloc, Layout};

/// A call, as ken makes it.
#[allow(dead_code)]
pub struct Call<'a> {
    /// The directory you work in; paths below it can be read, and written where that was allowed.
    pub root: &'a str,
    /// Which tool is meant, for components that hold several.
    pub name: &'a str,
    /// A JSON object.
    pub arguments: &'a str,
    /// Answers to earlier questions, by their ids: a JSON object.
    pub answers: &'a str,
}

#[allow(dead_code)]
pub enum Outcome {
    /// The text for the assistant.
    Success(String),
    Error(String),
    /// The tool is called again, from its beginning, with the answer in `call.answers`.
    /// `answer_type` is `boolean`, `text` or `{"select":{"options":[…]}}`.
    NeedsInput { id: String, text: String, answer_type: String },
}

/// Memory of an outcome, as the host reads it.
#[repr(C)]
pub struct RawOutcome {
    tag: u8,
    words: [usize; 9],
}

impl RawOutcome {
    fn of(outcome: Outcome) -> RawOutcome {
        let mut words = [0; 9];
        let mut put = |at: usize, text: String| {
            let text: &'static str = Box::leak(text.into_boxed_str());
            words[at] = text.as_ptr() as usize;
            words[at + 1] = text.len();
        };
        let tag = match outcome {
            Outcome::Success(text) => {
                put(0, text);
                0
            }
            Outcome::Error(message) => {
                put(0, message);
                1
            }
            Outcome::NeedsInput { id, text, answer_type } => {
                put(0, id);
                put(2, text);
                put(4, answer_type);
                2
            }
        };
        RawOutcome { tag, words }
    }
}

/// What the macro `tool!` calls.
pub fn answer(action: i32, call: &Call, run: fn(&Call) -> Outcome, format: fn(&Call) -> String) -> *const RawOutcome {
    let outcome = if action == 0 { run(call) } else { Outcome::Success(format(call)) };
    Box::leak(Box::new(RawOutcome::of(outcome)))
}

/// Text that the host wrote; it lives as long as the call.
///
/// # Safety
/// The host gives a place that it got from `cabi_realloc`, with UTF-8 in it.
pub unsafe fn text_at<'a>(at: *const u8, length: usize) -> &'a str {
    if length == 0 {
        return "";
    }
    std::str::from_utf8_unchecked(std::slice::from_raw_parts(at, length))
}

/// The host allocates what it passes in with this.
///
/// # Safety
/// Called by the host alone.
#[no_mangle]
pub unsafe extern "C" fn cabi_realloc(old: *mut u8, old_size: usize, align: usize, size: usize) -> *mut u8 {
    if size == 0 {
        return align as *mut u8;
    }
    let block = if old_size == 0 {
        alloc(Layout::from_size_align_unchecked(size, align))
    } else {
        realloc(old, Layout::from_size_align_unchecked(old_size, align), size)
    };
    if block.is_null() {
        std::process::abort();
    }
    block
}

/// Makes the function that ken calls.
#[macro_export]
macro_rules! tool {
    (run: $run:expr, format: $format:expr) => {
        #[allow(clippy::too_many_arguments)]
        #[export_name = "run"]
        unsafe extern "C" fn ken_run(
            root: *const u8,
            root_length: usize,
            action: i32,
            name: *const u8,
            name_length: usize,
            arguments: *const u8,
            arguments_length: usize,
            answers: *const u8,
            answers_length: usize,
        ) -> *const ken_tool::RawOutcome {
            let call = ken_tool::Call {
                root: ken_tool::text_at(root, root_length),
                name: ken_tool::text_at(name, name_length),
                arguments: ken_tool::text_at(arguments, arguments_length),
                answers: ken_tool::text_at(answers, answers_length),
            };
            ken_tool::answer(action, &call, $run, $format)
        }
    };
}
