//! What streams are made of: records, and streams of records in ascending order,
//! merged into one. Must not know what a record is for.

use super::pages::{DiskError, DiskResult, Pages, Reader, Stream};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Id, number, rank and length of the text.
const HEAD: usize = 16 + 8 + 4 + 4;
/// How many streams are written, or merged, at the same time.
pub(super) const WAYS: usize = 64;

/// One row on its way through the file; `id` and `number` are what it is told apart and ordered by.
#[derive(Clone, Copy)]
pub(super) struct Record<'a> {
    pub(super) id: u128,
    pub(super) number: u64,
    pub(super) rank: u32,
    pub(super) text: &'a [u8],
}

impl Record<'_> {
    pub(super) fn write(&self, stream: &mut Stream, pages: &mut Pages) -> DiskResult<()> {
        let len = u32::try_from(self.text.len()).map_err(|_| DiskError::from("a row of 4 GiB or more"))?;
        let mut head = [0; HEAD];
        head[..16].copy_from_slice(&self.id.to_le_bytes());
        head[16..24].copy_from_slice(&self.number.to_le_bytes());
        head[24..28].copy_from_slice(&self.rank.to_le_bytes());
        head[28..].copy_from_slice(&len.to_le_bytes());
        stream.push(&head, pages)?;
        stream.push(self.text, pages)
    }
}

/// A record's head, without its text.
#[derive(Clone, Copy)]
struct Head {
    id: u128,
    number: u64,
    rank: u32,
    len: usize,
}

/// The records of a sealed stream.
pub(super) struct Records {
    reader: Reader,
}

impl Records {
    pub(super) fn of(stream: Stream) -> Records {
        Records { reader: Reader::new(stream) }
    }

    fn head(&mut self, pages: &mut Pages) -> DiskResult<Option<Head>> {
        let Some(head) = self.reader.take(HEAD, pages)? else { return Ok(None) };
        Ok(Some(Head {
            id: u128::from_le_bytes(array(&head[..16])),
            number: u64::from_le_bytes(array(&head[16..24])),
            rank: u32::from_le_bytes(array(&head[24..28])),
            len: u32::from_le_bytes(array(&head[28..])) as usize,
        }))
    }

    fn text(&mut self, head: Head, pages: &mut Pages) -> DiskResult<Record<'_>> {
        let text = self.reader.take(head.len, pages)?;
        let text = text.ok_or_else(|| DiskError::from("the temporary file is shorter than what was written"))?;
        Ok(Record { id: head.id, number: head.number, rank: head.rank, text })
    }

    pub(super) fn next(&mut self, pages: &mut Pages) -> DiskResult<Option<Record<'_>>> {
        match self.head(pages)? {
            Some(head) => self.text(head, pages).map(Some),
            None => Ok(None),
        }
    }

    pub(super) fn into_stream(self) -> Stream {
        self.reader.into_stream()
    }
}

/// Bytes of which the length is known.
fn array<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut array = [0; N];
    array.copy_from_slice(bytes);
    array
}

/// Distributes records over `WAYS` streams.
pub(super) struct Parts(Vec<Stream>);

impl Parts {
    pub(super) fn new() -> Parts {
        Parts((0..WAYS).map(|_| Stream::default()).collect())
    }

    pub(super) fn push(&mut self, part: usize, record: &Record<'_>, pages: &mut Pages) -> DiskResult<()> {
        record.write(&mut self.0[part], pages)
    }

    /// All streams that hold something, sealed.
    pub(super) fn seal(self, pages: &mut Pages) -> DiskResult<Vec<Stream>> {
        let mut streams: Vec<_> = self.0.into_iter().filter(|stream| !stream.is_empty()).collect();
        streams.iter_mut().try_for_each(|stream| stream.seal(pages))?;
        Ok(streams)
    }
}

/// Ascending streams as one: by id, then by number, then by the order of the streams.
pub(super) struct Merge {
    runs: Vec<Records>,
    heads: Vec<Option<Head>>,
    first: BinaryHeap<Reverse<(u128, u64, usize)>>,
}

impl Merge {
    /// Of at most `WAYS` streams: each costs memory for a page.
    pub(super) fn new(streams: Vec<Stream>, pages: &mut Pages) -> DiskResult<Merge> {
        let runs: Vec<_> = streams.into_iter().map(Records::of).collect();
        let mut merge = Merge { heads: vec![None; runs.len()], runs, first: BinaryHeap::new() };
        for run in 0..merge.runs.len() {
            merge.advance(run, pages)?;
        }
        Ok(merge)
    }

    fn advance(&mut self, run: usize, pages: &mut Pages) -> DiskResult<()> {
        self.heads[run] = self.runs[run].head(pages)?;
        if let Some(head) = self.heads[run] {
            self.first.push(Reverse((head.id, head.number, run)));
        }
        Ok(())
    }

    /// Hands the next record to `take`; false at the end.
    pub(super) fn next(&mut self, pages: &mut Pages, take: impl FnOnce(Record<'_>)) -> DiskResult<bool> {
        let Some(Reverse((_, _, run))) = self.first.pop() else { return Ok(false) };
        if let Some(head) = self.heads[run] {
            take(self.runs[run].text(head, pages)?);
        }
        self.advance(run, pages)?;
        Ok(true)
    }

    /// All of it as one stream; the pages of the others are free again.
    pub(super) fn into_one(mut self, pages: &mut Pages) -> DiskResult<Stream> {
        let mut one = Stream::default();
        while let Some(Reverse((_, _, run))) = self.first.pop() {
            if let Some(head) = self.heads[run] {
                // The text is borrowed from the reader, the stream written from it: no copy between.
                self.runs[run].text(head, pages)?.write(&mut one, pages)?;
            }
            self.advance(run, pages)?;
        }
        self.runs.into_iter().for_each(|run| pages.release(run.into_stream()));
        one.seal(pages)?;
        Ok(one)
    }
}
