"""urlkey.sqlalchemy: columns of keys and digests."""

import pickle

import pytest
from sqlalchemy import MetaData, String, create_engine, select
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.exc import IntegrityError, StatementError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, aliased, mapped_column
from sqlalchemy.schema import CreateTable

import urlkey
from urlkey.sqlalchemy import UrlDigest, UrlKey


class Base(DeclarativeBase):
    metadata = MetaData()


class Page(Base):
    __tablename__ = "page"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[str] = mapped_column(String)
    key: Mapped[str | None] = mapped_column(UrlKey(length=2000), unique=True)
    fold: Mapped[str | None] = mapped_column(UrlKey(policy="fold"))
    digest: Mapped[bytes | None] = mapped_column(UrlDigest())


SPELLING, OTHER = "HTTP://www.A.example:80/?b&a&utm_source=x", "http://www.a.example/?a&b#top"


@pytest.fixture
def session():
    engine = create_engine("sqlite://")
    Base.metadata.create_all(engine)
    with Session(engine) as session:
        session.add(Page(url=SPELLING, key=SPELLING, fold=SPELLING, digest=SPELLING))
        session.commit()
        yield session


def test_a_spelling_goes_in_and_its_key_comes_out(session):
    page = session.scalars(select(Page)).one()
    assert page.url == SPELLING
    assert page.key == urlkey.key(SPELLING)
    assert page.fold == urlkey.key(SPELLING, policy="fold")
    assert page.digest == urlkey.digest(SPELLING)


@pytest.mark.parametrize(
    "where",
    [
        lambda: Page.key == OTHER,
        lambda: Page.key.in_([OTHER, "http://b.example"]),
        lambda: ~(Page.key != OTHER),
        lambda: Page.key.is_not_distinct_from(OTHER),
        lambda: Page.fold == "https://a.example/?b&a",
        lambda: Page.digest == OTHER,
        lambda: Page.digest == urlkey.digest(OTHER),
        lambda: Page.digest.in_([OTHER]),
        lambda: Page.key.like("http://www.a.example/%"),
        lambda: Page.key.startswith("http://www.a"),
        lambda: Page.key.contains("%3F") | Page.key.contains("?a"),
        lambda: Page.key > "http://www.",
        lambda: Page.key.is_not(None),
    ],
)
def test_what_it_is_compared_with(session, where):
    assert session.scalars(select(Page.id).where(where())).all() == [1]


def test_two_spellings_of_one_key_meet_in_a_unique_column(session):
    session.add(Page(url=OTHER, key=OTHER))
    with pytest.raises(IntegrityError):
        session.commit()


def test_null_stays_null(session):
    session.add(Page(url="x", key=None))
    session.commit()
    assert session.scalars(select(Page.url).where(Page.key.is_(None), Page.digest.is_(None))).all() == ["x"]


def test_joins_compare_columns(session):
    other = aliased(Page)
    assert session.execute(select(Page.id).join(other, Page.key == other.key)).all() == [(1,)]


@pytest.mark.parametrize("value", ["nonsense", "http://a.example:99999/"])
def test_what_is_no_url_is_an_error(session, value):
    with pytest.raises(StatementError) as error:
        session.scalars(select(Page).where(Page.key == value)).all()
    assert isinstance(error.value.orig, urlkey.UrlKeyError)
    assert value not in str(error.value.orig)


def test_bytes_that_are_no_digest_are_an_error(session):
    with pytest.raises(StatementError, match="a digest has 16 bytes, not 3"):
        session.scalars(select(Page).where(Page.digest == b"abc")).all()


def test_statements_are_cached_by_policy():
    def cached(policy):
        return select(Page.id).where(Page.url.op("=")(Page.key.cast(UrlKey(policy=policy))))._generate_cache_key()

    assert cached("crawl") == cached("crawl")
    assert cached("crawl") != cached("fold")


def test_types_of_the_database():
    page = CreateTable(Page.__table__)
    assert "key VARCHAR(2000)" in str(page.compile(dialect=postgresql.dialect()))
    assert "digest BYTEA" in str(page.compile(dialect=postgresql.dialect()))
    mine = MetaData()
    Page.__table__.to_metadata(mine)
    with pytest.raises(Exception, match="VARCHAR requires a length"):
        str(page.compile(dialect=mysql.dialect()))
    assert repr(UrlKey(length=10, policy="fold")).startswith("UrlKey(")


def test_types_can_be_pickled():
    assert pickle.loads(pickle.dumps(UrlKey(policy="fold"))).policy == urlkey.Policy("fold")
