#[path = "ken_tool.rs"]
#[macro_use]
mod ken_tool;

use ken_tool::{Call, Outcome};

/// The arguments are JSON. For more than this, bring a JSON library.
fn string_argument<'a>(json: &'a str, key: &str) -> &'a str {
    let pattern = format!("\"{key}\":\"");
    let start = match json.find(&pattern) {
        Some(at) => at + pattern.len(),
        None => return "",
    };
    let end = json[start..].find('"').map_or(json.len(), |length| start + length);
    &json[start..end]
}

fn count_names(directory: &str) -> std::io::Result<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(directory)? {
        let name = entry?.file_name();
        if !name.to_string_lossy().starts_with('.') {
            count += 1;
        }
    }
    Ok(count)
}

fn run(call: &Call) -> Outcome {
    let name = string_argument(call.arguments, "name");
    match count_names(call.root) {
        Ok(count) => Outcome::Success(format!("Hello, {name}! I see {count} names here.")),
        Err(error) => Outcome::Error(format!("{}: {error}", call.root)),
    }
}

fn format(call: &Call) -> String {
    format!("greet {}", string_argument(call.arguments, "name"))
}

tool!(run: run, format: format);
