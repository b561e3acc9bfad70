using IoBench.Engine;

namespace IoBench.Application.Tests;

public class RepeatComparisonTests
{
    [Fact]
    public void Error_advice_uses_the_option_spelling_of_each_front_end()
    {
        var error = Assert.Throws<IoBenchException>(() => ComparisonRequest.GetRepeatSummaries([]));
        Assert.Equal("IoBench.NoRepeats", error.ErrorId);
        Assert.Equal(["Repeat"], error.Options);
        Assert.Contains("with --repeat 3,", error.Text.Render(CliSpelling.Default), StringComparison.Ordinal);
    }
}
