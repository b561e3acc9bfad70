using System.Diagnostics.CodeAnalysis;
using System.Text.Json;
using Xunit.Abstractions;
using Xunit.Sdk;

namespace IoBench.Module.Tests;

/// <summary>A Pester file as a test case of xunit, with a result for each of its tests.</summary>
[SuppressMessage("Performance", "CA1812", Justification = "xunit makes it.")]
internal sealed class PesterTestCase : XunitTestCase
{
    [Obsolete("For deserialization only.")]
    public PesterTestCase() { }

    public PesterTestCase(IMessageSink sink, ITestFrameworkDiscoveryOptions options, ITestMethod method, string file)
        : base(sink, options.MethodDisplayOrDefault(), options.MethodDisplayOptionsOrDefault(), method, [file]) { }

    public override Task<RunSummary> RunAsync(
        IMessageSink diagnosticMessageSink,
        IMessageBus messageBus,
        object[] constructorArguments,
        ExceptionAggregator aggregator,
        CancellationTokenSource cancellationTokenSource
    ) =>
        new PesterTestCaseRunner(
            this,
            DisplayName,
            SkipReason,
            constructorArguments,
            TestMethodArguments,
            messageBus,
            aggregator,
            cancellationTokenSource
        ).RunAsync();
}

/// <summary>Runs a file in the pwsh of its class, and passes the results on.</summary>
internal sealed class PesterTestCaseRunner(
    IXunitTestCase testCase,
    string displayName,
    string skipReason,
    object[] constructorArguments,
    object[] testMethodArguments,
    IMessageBus messageBus,
    ExceptionAggregator aggregator,
    CancellationTokenSource cancellationTokenSource
)
    : XunitTestCaseRunner(
        testCase,
        displayName,
        skipReason,
        constructorArguments,
        testMethodArguments,
        messageBus,
        aggregator,
        cancellationTokenSource
    )
{
    protected override async Task<RunSummary> RunTestAsync()
    {
        var summary = new RunSummary();
        if (TestPowerShell.WhatIsMissing is { } missing)
        {
            Report(summary, new PesterResult("", "Skipped", missing, "", 0));
            return summary;
        }
        try
        {
            await foreach (var result in ((PesterHost)ConstructorArguments[0]).Run((string)TestMethodArguments[0]))
                Report(summary, result);
        }
        catch (Exception e) when (e is IOException or JsonException)
        {
            Report(summary, new PesterResult("", "Failed", e.Message, "", 0));
        }
        return summary;
    }

    private void Report(RunSummary summary, PesterResult result)
    {
        var test = new XunitTest(TestCase, result.Name.Length > 0 ? $"{DisplayName} {result.Name}" : DisplayName);
        summary.Total++;
        summary.Time += result.Seconds;
        Queue(new TestStarting(test));
        switch (result.Outcome)
        {
            case "Passed":
                Queue(new TestPassed(test, result.Seconds, ""));
                break;
            case "Skipped":
                summary.Skipped++;
                Queue(new TestSkipped(test, result.Message));
                break;
            default:
                summary.Failed++;
                Queue(new TestFailed(test, result.Seconds, "", ["Pester"], [result.Message], [result.Trace], [-1]));
                break;
        }
        Queue(new TestFinished(test, result.Seconds, ""));
    }

    private void Queue(IMessageSinkMessage message)
    {
        if (!MessageBus.QueueMessage(message))
            CancellationTokenSource.Cancel();
    }
}
