using System.ComponentModel;
using System.Diagnostics;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs the same test in two states that commands of the user set: A B B A, so that a drift of the storage affects both alike.
/// Command A always runs last, also after an error or a cancellation.</summary>
public sealed class ToggleRunner(LatencySourcePlan plan, SuiteApproval approval, ISuiteFront front)
{
    public const int MinBlocks = 3;
    public const int MaxBlocks = 8;
    private const int TestsPerBlock = 4;
    private const int MaxOutput = 300;

    // A test of half the duration each for reads and writes.
    private const double TestShare = 0.5;
    private static readonly bool[] s_order = [true, false, false, true];
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(50);

    private bool? _isOn;

    internal static TimeSpan GetEstimatedTime(LatencySourcePlan plan) =>
        plan.Tests.Where(item => IsCompared(item.Step))
            .Aggregate(TimeSpan.Zero, (sum, item) => sum + (item.Test.Duration + item.Test.WarmUp) * TestShare)
        * MinBlocks
        * TestsPerBlock;

    /// <exception cref="IoBenchException">A command or a test failed.</exception>
    /// <exception cref="OperationCanceledException">The user canceled.</exception>
    public ToggleComparison Run(CancellationToken token)
    {
        var start = DateTimeOffset.UtcNow;
        var blocks = new Dictionary<IoOperation, List<(double On, double Off)>> { [IoOperation.Read] = [], [IoOperation.Write] = [] };
        List<ToggleDifference> differences = [];
        var count = 0;
        try
        {
            while (count < MaxBlocks && (count < MinBlocks || !differences.TrueForAll(difference => difference.IsPrecise)))
            {
                RunBlock(count, blocks, token);
                count++;
                differences = [.. blocks.Select(pair => ToggleDifference.Create(pair.Key, pair.Value))];
            }
        }
        finally
        {
            // Even if the user cancels: the caller must find the state that the help promises.
            if (_isOn == false)
                RunCommand(isOn: true, CancellationToken.None);
        }
        return new ToggleComparison
        {
            Path = plan.IsAnonymous ? null : approval.Targets[0].Target.Path,
            OnCommand = plan.OnCommand!,
            OffCommand = plan.OffCommand!,
            StartUtc = start,
            EndUtc = DateTimeOffset.UtcNow,
            BlockCount = count,
            Differences = differences,
        };
    }

    private void RunBlock(int block, Dictionary<IoOperation, List<(double On, double Off)>> blocks, CancellationToken token)
    {
        var sums = blocks.Keys.ToDictionary(operation => operation, _ => (On: 0.0, Off: 0.0));
        for (var i = 0; i < s_order.Length; i++)
        {
            var isOn = s_order[i];
            // The second B follows the first one in the same state, but its command can have an effect of its own, such as an empty cache.
            RunCommand(isOn, token);
            foreach (var (step, original) in plan.Tests.Where(item => IsCompared(item.Step)))
            {
                var test = original.Clone();
                test.Duration *= TestShare;
                test.WarmUp *= TestShare;
                var place = new TestPosition(
                    block * s_order.Length + i + 1,
                    Math.Max(MinBlocks, block + 1) * s_order.Length,
                    Name: $"{(isOn ? "A" : "B")}: {LatencyStep.Describe(step)}"
                );
                var result = LatencySourceRunner.RunTest(test, approval.GetOptions(original), place, front, token);
                if (result.IOCount is not > 0)
                    throw LatencySourceRunner.CreateNothingMeasuredError(test, result);
                var operation = result.Operation!.Value;
                var half = result.AverageLatencyMs!.Value / 2;
                sums[operation] = isOn
                    ? (sums[operation].On + half, sums[operation].Off)
                    : (sums[operation].On, sums[operation].Off + half);
            }
        }
        foreach (var (operation, sum) in sums)
            blocks[operation].Add(sum);
    }

    private static bool IsCompared(LatencyStepKind step) => step is LatencyStepKind.Read or LatencyStepKind.Write;

    private void RunCommand(bool isOn, CancellationToken token)
    {
        token.ThrowIfCancellationRequested();
        _isOn = isOn;
        var command = (isOn ? plan.OnCommand : plan.OffCommand)!;
        front.OnLog($"{(isOn ? "A" : "B")}: {command}");
        using var process = Start(command);
        var output = process.StandardOutput.ReadToEndAsync(CancellationToken.None);
        var errors = process.StandardError.ReadToEndAsync(CancellationToken.None);
        while (!process.WaitForExit(s_poll))
            if (token.IsCancellationRequested)
            {
                process.Kill(entireProcessTree: true);
                process.WaitForExit();
                token.ThrowIfCancellationRequested();
            }
        if (process.ExitCode == 0)
            return;
        // A service that the command started can keep the pipe open, so do not wait for its end.
        var text =
            errors.Wait(s_poll, CancellationToken.None) && errors.Result.Trim() is { Length: > 0 } said ? said
            : output.Wait(s_poll, CancellationToken.None) ? output.Result.Trim()
            : "";
        throw IoBenchException.Failure(
            "IoBench.CommandFailed",
            $"Command {(isOn ? "A" : "B")} ended with exit code {process.ExitCode}: {command}{(text.Length == 0 ? "" : $": {text[..Math.Min(text.Length, MaxOutput)]}")}.",
            advice: "Correct the command, and start the comparison again."
        );
    }

    private static Process Start(string command)
    {
        var start = OperatingSystem.IsWindows()
            ? new ProcessStartInfo("cmd.exe") { Arguments = $"/d /s /c \"{command}\"" }
            : new ProcessStartInfo("/bin/sh", ["-c", command]);
        start.UseShellExecute = false;
        start.CreateNoWindow = true;
        start.RedirectStandardOutput = true;
        start.RedirectStandardError = true;
        try
        {
            return Process.Start(start)!;
        }
        catch (Win32Exception error)
        {
            throw IoBenchException.Failure("IoBench.CommandFailed", $"The shell did not start: {error.Message}", null, error);
        }
    }
}
