"""What the tests on PostgreSQL share."""

import pytest

from postgres import Cluster


@pytest.fixture(scope="module")
def cluster():
    with Cluster() as cluster:
        yield cluster


@pytest.fixture
def place(cluster):
    return cluster.place()
