"""The blur: numbers that few records share are not handed out as they are."""
