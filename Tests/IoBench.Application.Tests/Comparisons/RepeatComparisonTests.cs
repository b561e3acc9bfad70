using IoBench.Engine;

namespace IoBench.Application.Tests;

public class RepeatComparisonTests
{
    [Fact]
    public void The_advice_names_the_option_for_each_front()
    {
        var error = Assert.Throws<IoBenchException>(() => RepeatComparison.Summaries([]));
        Assert.Equal("IoBench.NoRepeats", error.ErrorId);
        Assert.Equal(["Repeat"], error.Options);
        Assert.Contains("with --repeat 3,", error.Text.Render(ProgramSpelling.Default), StringComparison.Ordinal);
    }
}
