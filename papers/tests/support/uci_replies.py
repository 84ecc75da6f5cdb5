"""Answers of the UCI repository in the form that `ucimlrepo` gets them, for tests without a network.

A dataset is told of in JSON, its records are a CSV file. Both are written down from the package's published outputs:
texts shortened, a few real records of each table.
"""

from __future__ import annotations

import io
import json
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.error import HTTPError

import pytest

API = "https://archive.ics.uci.edu/api/dataset?id={}"
DATA = "https://archive.ics.uci.edu/static/public/{}/data.csv"

# Missing values are written in two ways; the last two records are of the file for testing.
ADULT = """\
age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,capital-loss,\
hours-per-week,native-country,income
39,State-gov,77516,Bachelors,13,Never-married,Adm-clerical,Not-in-family,White,Male,2174,0,40,United-States,<=50K
52,Self-emp-not-inc,209642,HS-grad,9,Married-civ-spouse,Exec-managerial,Husband,White,Male,0,0,45,United-States,>50K
40,Private,121772,Assoc-voc,11,Married-civ-spouse,Craft-repair,Husband,Asian-Pac-Islander,Male,0,0,40,?,>50K
54,?,180211,Some-college,10,Married-civ-spouse,?,Husband,Asian-Pac-Islander,Male,0,0,60,South,>50K
25,Private,226802,11th,7,Never-married,Machine-op-inspct,Own-child,Black,Male,0,0,40,United-States,<=50K.
18,,103497,Some-college,10,Never-married,,Own-child,White,Female,0,0,30,United-States,<=50K.
"""
# A column with a missing value is written with decimals, as a table of floating-point numbers is.
WBC = """\
Sample_code_number,Clump_thickness,Uniformity_of_cell_size,Uniformity_of_cell_shape,Marginal_adhesion,\
Single_epithelial_cell_size,Bare_nuclei,Bland_chromatin,Normal_nucleoli,Mitoses,Class
1000025,5,1,1,1,2,1.0,3,1,1,2
1002945,5,4,4,5,7,10.0,3,2,1,2
1057013,8,4,5,1,2,,7,3,1,4
"""
# The class comes last, and the name of a column has zeros where the letter O is meant.
WINE = """\
Alcohol,Malicacid,Ash,Alcalinity_of_ash,Magnesium,Total_phenols,Flavanoids,Nonflavanoid_phenols,Proanthocyanins,\
Color_intensity,Hue,0D280_0D315_of_diluted_wines,Proline,class
14.23,1.71,2.43,15.6,127,2.80,3.06,0.28,2.29,5.64,1.04,3.92,1065,1
13.20,1.78,2.14,11.2,100,2.65,2.76,0.26,1.28,4.38,1.05,3.40,1050,1
"""
IRIS = """\
sepal length,sepal width,petal length,petal width,class
5.1,3.5,1.4,0.2,Iris-setosa
4.9,3.0,1.4,0.2,Iris-setosa
"""


class Answer(io.BytesIO):
    """What opening an address gives: bytes with headers."""

    headers: Mapping[str, str] = {}


def told(number: int, name: str, columns: Sequence[str], target: str) -> dict[str, Any]:
    """What the repository tells of a dataset; all columns but the class are features."""
    data = {
        "uci_id": number,
        "name": name,
        "repository_url": f"https://archive.ics.uci.edu/dataset/{number}/{name.lower()}",
        "data_url": DATA.format(number),
        "abstract": "Shortened.",
        "area": "Other",
        "tasks": ["Classification"],
        "characteristics": ["Multivariate"],
        "num_features": len(columns) - 1,
        "feature_types": ["Categorical", "Integer", "Real"],
        "demographics": [],
        "target_col": [target],
        "index_col": None,
        "has_missing_values": "yes",
        "missing_values_symbol": "NaN",
        "creators": [],
        "intro_paper": None,
        "additional_info": {"summary": "Shortened.", "variable_info": None},
        "variables": [
            {
                "name": column,
                "role": "Target" if column == target else "Feature",
                "type": "Categorical",
                "demographic": None,
                "description": None,
                "units": None,
                "missing_values": "no",
            }
            for column in columns
        ],
    }
    return {"status": 200, "statusText": "OK", "data": data}


def serve(monkeypatch: pytest.MonkeyPatch, number: int, name: str, text: str, target: str) -> list[str]:
    """Answer for one dataset and for nothing else; returns the addresses that were opened."""
    columns = text.partition("\n")[0].split(",")
    told_of = json.dumps(told(number, name, columns, target))
    return serve_texts(monkeypatch, {API.format(number): told_of, DATA.format(number): text})


def serve_texts(monkeypatch: pytest.MonkeyPatch, texts: Mapping[str, str]) -> list[str]:
    """Answer at these addresses with these texts."""
    opened: list[str] = []

    def urlopen(asked: str | urllib.request.Request, **how: object) -> Answer:
        address = asked if isinstance(asked, str) else asked.full_url
        opened.append(address)
        if address not in texts:
            raise HTTPError(address, 404, "Not Found", None, None)  # type: ignore[arg-type]
        return Answer(texts[address].encode())

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    return opened
