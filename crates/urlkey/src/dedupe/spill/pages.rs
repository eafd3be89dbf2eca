//! Streams of bytes that share one file, page by page: any number of them can be
//! written at the same time, and each costs memory for one page. Pages of streams
//! that are done with are used again. Must not know what the bytes mean.

/// Why a disk did not do what it was asked, in the words of whoever gave it.
pub type DiskError = Box<dyn std::error::Error + Send + Sync>;

/// What comes of asking a disk.
pub type DiskResult<T> = Result<T, DiskError>;

/// The file, as whoever opens it gives it. Pages are written whole, one after the
/// other while none is free, and read where they were written.
pub trait Disk: Send {
    /// Puts all bytes at a place.
    fn write(&mut self, at: u64, bytes: &[u8]) -> DiskResult<()>;
    /// Fills the buffer from a place that was written.
    fn read(&mut self, at: u64, buffer: &mut [u8]) -> DiskResult<()>;
}

/// The file as pages of one size.
pub(super) struct Pages {
    disk: Box<dyn Disk>,
    size: usize,
    free: Vec<u32>,
    used: u32,
}

impl Pages {
    pub(super) fn new(disk: Box<dyn Disk>, size: usize) -> Pages {
        Pages { disk, size, free: Vec::new(), used: 0 }
    }

    fn place(&self, page: u32) -> u64 {
        u64::from(page) * self.size as u64
    }

    /// Writes a page, the last one of a stream perhaps in part.
    fn put(&mut self, bytes: &[u8]) -> DiskResult<u32> {
        let page = match self.free.pop() {
            Some(page) => page,
            None => {
                self.used = self.used.checked_add(1).ok_or_else(|| DiskError::from("too many pages"))?;
                self.used - 1
            }
        };
        self.disk.write(self.place(page), bytes)?;
        Ok(page)
    }

    /// The pages of a stream are free again.
    pub(super) fn release(&mut self, stream: Stream) {
        self.free.extend(stream.pages);
    }
}

/// Bytes that are written once, from the beginning to the end, and then read.
#[derive(Default)]
pub(super) struct Stream {
    pages: Vec<u32>,
    /// What does not fill a page yet.
    tail: Vec<u8>,
    /// How much of the last page counts, once sealed.
    last: usize,
}

impl Stream {
    pub(super) fn push(&mut self, mut bytes: &[u8], pages: &mut Pages) -> DiskResult<()> {
        while !bytes.is_empty() {
            if self.tail.capacity() == 0 {
                self.tail.reserve_exact(pages.size);
            }
            let (now, later) = bytes.split_at(bytes.len().min(pages.size - self.tail.len()));
            self.tail.extend_from_slice(now);
            bytes = later;
            if self.tail.len() == pages.size {
                self.pages.push(pages.put(&self.tail)?);
                self.tail.clear();
            }
        }
        Ok(())
    }

    /// Nothing more will come: the stream needs no memory from now on.
    pub(super) fn seal(&mut self, pages: &mut Pages) -> DiskResult<()> {
        let tail = std::mem::take(&mut self.tail);
        self.last = pages.size;
        if !tail.is_empty() {
            self.pages.push(pages.put(&tail)?);
            self.last = tail.len();
        }
        Ok(())
    }

    pub(super) fn is_empty(&self) -> bool {
        self.pages.is_empty() && self.tail.is_empty()
    }
}

/// Reads a sealed stream from its beginning.
pub(super) struct Reader {
    stream: Stream,
    next: usize,
    buffer: Vec<u8>,
    at: usize,
}

impl Reader {
    pub(super) fn new(stream: Stream) -> Reader {
        Reader { stream, next: 0, buffer: Vec::new(), at: 0 }
    }

    /// The next `count` bytes, None at the end. What is begun is whole: the end comes between two calls.
    pub(super) fn take(&mut self, count: usize, pages: &mut Pages) -> DiskResult<Option<&[u8]>> {
        while self.buffer.len() - self.at < count {
            if !self.fetch(pages)? {
                return Ok(None);
            }
        }
        self.at += count;
        Ok(Some(&self.buffer[self.at - count..self.at]))
    }

    /// Reads one page more behind what was not taken yet.
    fn fetch(&mut self, pages: &mut Pages) -> DiskResult<bool> {
        let Some(&page) = self.stream.pages.get(self.next) else { return Ok(false) };
        self.next += 1;
        let len = if self.next == self.stream.pages.len() { self.stream.last } else { pages.size };
        self.buffer.drain(..self.at);
        self.at = 0;
        let old = self.buffer.len();
        self.buffer.resize(old + len, 0);
        pages.disk.read(pages.place(page), &mut self.buffer[old..])?;
        Ok(true)
    }

    /// The stream, to be read again or released.
    pub(super) fn into_stream(self) -> Stream {
        self.stream
    }
}
