// Finds its way through a text of JSON without copying it. A value that is not there is empty, and every
// function takes that.
//
// Strings are walked over as strings, so a brace or a name inside of one is never taken for the real thing.

#[derive(Clone, Copy)]
pub struct Json<'a> {
    /// Begins with the value, and goes on to the end of the line.
    text: &'a str,
}

const SPACE: &[char] = &[' ', '\t', '\r', '\n'];

impl<'a> Json<'a> {
    pub fn new(text: &'a str) -> Json<'a> {
        Json { text: text.trim_start_matches(SPACE) }
    }

    /// Value of a key of an object.
    pub fn member(self, key: &str) -> Json<'a> {
        let mut at = self.first('{', '}');
        while let Some(name) = at {
            let value = match Json::new(name.rest()).text.strip_prefix(':') {
                Some(text) => Json::new(text),
                None => break,
            };
            if name.string() == key {
                return value;
            }
            at = value.next();
        }
        Json { text: "" }
    }

    /// Items of an array.
    pub fn items(self) -> Vec<Json<'a>> {
        let mut found = Vec::new();
        let mut at = self.first('[', ']');
        while let Some(item) = at {
            found.push(item);
            at = item.next();
        }
        found
    }

    pub fn number(self) -> Option<i64> {
        self.text[..self.end()].parse().ok()
    }

    /// A string between its quotes, as it stands: escapes are left as they are.
    pub fn string(self) -> &'a str {
        if self.text.starts_with('"') { &self.text[1..self.end() - 1] } else { "" }
    }

    fn rest(self) -> &'a str {
        &self.text[self.end()..]
    }

    fn first(self, opening: char, closing: char) -> Option<Json<'a>> {
        let item = Json::new(self.text.strip_prefix(opening)?);
        if item.text.is_empty() || item.text.starts_with(closing) { None } else { Some(item) }
    }

    fn next(self) -> Option<Json<'a>> {
        Json::new(self.rest()).text.strip_prefix(',').map(Json::new)
    }

    /// How long the value is that the text begins with.
    fn end(self) -> usize {
        let bytes = self.text.as_bytes();
        match bytes.first() {
            Some(b'"') => string_end(bytes, 0),
            Some(b'{' | b'[') => {
                let (mut depth, mut at) = (0, 0);
                while at < bytes.len() {
                    match bytes[at] {
                        b'"' => {
                            at = string_end(bytes, at);
                            continue;
                        }
                        b'{' | b'[' => depth += 1,
                        b'}' | b']' => depth -= 1,
                        _ => {}
                    }
                    at += 1;
                    if depth == 0 {
                        break;
                    }
                }
                at
            }
            _ => self.text.find([',', ']', '}', ' ', '\t', '\r', '\n']).unwrap_or(bytes.len()),
        }
    }
}

/// Just behind the string that begins at `at`.
fn string_end(bytes: &[u8], mut at: usize) -> usize {
    at += 1;
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    bytes.len().min(at + 1)
}
