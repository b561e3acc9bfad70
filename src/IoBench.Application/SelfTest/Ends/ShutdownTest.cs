using System.Diagnostics;
using System.Text.Json;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Seconds">Seconds that the program took to end; null if it did not end or was not asked to.</param>
/// <param name="Fault">What is wrong; null if nothing is.</param>
/// <param name="Unknown">Why the result is unknown; null if it is known.</param>
internal readonly record struct ShutdownTestResult(ShutdownKind Kind, double? Seconds, string? Fault, string? Unknown);

internal sealed class ShutdownTest(SelfTestContext context, SelfTestChildProgram program, ShutdownKind end)
{
    private const int Cancelled = 130;
    private const long FileSize = 8L << 20;
    private const string Complete = "Complete";
    private static readonly TimeSpan s_resultTimeout = TimeSpan.FromSeconds(30),
        s_shutdownTimeout = TimeSpan.FromSeconds(15),
        s_pollInterval = TimeSpan.FromMilliseconds(20),
        s_delayIntoTest = TimeSpan.FromMilliseconds(300);

    private readonly string _folder = Path.Combine(Path.GetDirectoryName(context.Path)!, $"iobench-self-test-{Guid.NewGuid():N}");

    private string TestFilePath => Path.Combine(_folder, "ends.dat");

    private string ResultPath => Path.Combine(_folder, "ends.json");

    public ShutdownTestResult RunTest()
    {
        Directory.CreateDirectory(_folder);
        ShutdownTestResult outcome;
        try
        {
            outcome = RunProgram();
        }
        finally
        {
            RemoveFolder();
        }
        return outcome;
    }

    private ShutdownTestResult RunProgram()
    {
        using var process = program.StartTests(TestFilePath, ResultPath);
        // Read the output, because a full pipe would block the program.
        _ = process.StandardOutput.ReadToEndAsync();
        var error = process.StandardError.ReadToEndAsync();
        try
        {
            if (WaitForResult(process) is { } early)
                return early == NoResult ? CreateUnknown(early) : CreateFault($"{early}: {error.Result.Trim()}");
            var before = GetCompletedTests().Count;
            var watch = Stopwatch.StartNew();
            if (program.SendShutdown(process, end) is { } why)
                return CreateUnknown(why);
            if (!process.WaitForExit(s_shutdownTimeout))
                return CreateFault("the program did not end within 15 s");
            var seconds = watch.Elapsed.TotalSeconds;
            return new(end, seconds, FindFault(process.ExitCode, before), null);
        }
        finally
        {
            if (!process.HasExited)
            {
                process.Kill(entireProcessTree: true);
                process.WaitForExit();
            }
        }
    }

    private const string NoResult = "the program had no result within 30 s";

    // Wait until one test has finished and the next one has run long enough to have its marker open.
    private string? WaitForResult(Process process)
    {
        for (var watch = Stopwatch.StartNew(); GetCompletedTests().Count == 0; Sleep(s_pollInterval))
        {
            if (process.HasExited)
                return $"the program ended by itself, with exit code {process.ExitCode}";
            if (watch.Elapsed > s_resultTimeout)
                return NoResult;
        }
        Sleep(s_delayIntoTest);
        return process.HasExited ? $"the program ended by itself, with exit code {process.ExitCode}" : null;
    }

    private void Sleep(TimeSpan time)
    {
        context.Token.WaitHandle.WaitOne(time);
        context.Token.ThrowIfCancellationRequested();
    }

    private string? FindFault(int exitCode, int before)
    {
        var saved = GetCompletedTests().Count;
        if (saved < before)
        {
            var finished = $"{NumberFormat.Pluralize(before, "test")} {(before == 1 ? "was" : "were")} finished";
            return $"{finished}, and {saved} {(saved == 1 ? "is" : "are")} saved";
        }
        if (end == ShutdownKind.Kill)
            return FindNextRunFault();
        if (exitCode != Cancelled)
            return $"the exit code is {exitCode} and not {Cancelled}";
        if (ReadMarker() is not { State: OwnershipMarkerState.Closed })
            return "the mark of the test file is not closed";
        return FindOwnershipFault();
    }

    // The next run verifies every sector of the file before it writes.
    private string? FindNextRunFault()
    {
        var test = context.CreateTest(IoBuffering.Both);
        test.Targets = [new IoTargetSpecification(TestFilePath)];
        test.FileSize = FileSize;
        test.WritePercent = 100;
        test.Duration = TimeSpan.FromSeconds(0.2);
        try
        {
            context.RunTest(test);
            return FindOwnershipFault();
        }
        catch (IoBenchException error)
        {
            return $"the next run failed: {error.Message}";
        }
    }

    private string? FindOwnershipFault() => TestFiles.IsOwnTestFile(TestFilePath, out var reason) ? null : $"the test file {reason}";

    private OwnershipMarker? ReadMarker()
    {
        using var handle = PlatformFiles.Current.OpenToRead(TestFilePath);
        return OwnershipMarker.ReadText(handle, TestFilePath) is { } text ? OwnershipMarker.Parse(text) : null;
    }

    // Tests with a complete result. The program creates and replaces the file meanwhile.
    private List<string> GetCompletedTests()
    {
        try
        {
            using var stream = new FileStream(ResultPath, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
            using var json = JsonDocument.Parse(stream);
            return
            [
                .. json
                    .RootElement.EnumerateArray()
                    .Select(result => result.GetProperty("status").GetString()!)
                    .Where(status => status == Complete),
            ];
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException or JsonException)
        {
            return [];
        }
    }

    // Windows keeps the files of a killed program open for a moment.
    private void RemoveFolder()
    {
        for (var tries = 1; Directory.Exists(_folder); tries++)
        {
            const int max = 50;
            try
            {
                Directory.Delete(_folder, recursive: true);
            }
            catch (Exception e) when (e is IOException or UnauthorizedAccessException)
            {
                if (tries == max)
                    throw IoBenchException.Failure("IoBench.SelfTestFailed", $"{_folder} is left behind: {e.Message}", _folder);
                Thread.Sleep(s_pollInterval * 2);
            }
        }
    }

    private ShutdownTestResult CreateFault(string what) => new(end, null, what, null);

    private ShutdownTestResult CreateUnknown(string why) => new(end, null, null, why);

    private const string Code = "Ends",
        Subject = "Ends";

    private static readonly ShutdownKind[] s_kinds = OperatingSystem.IsWindows()
        ? [ShutdownKind.Interrupt, ShutdownKind.Break, ShutdownKind.Kill]
        : [ShutdownKind.Interrupt, ShutdownKind.Terminate, ShutdownKind.Kill];

    public static IEnumerable<SelfTestCheck> CheckShutdown(SelfTestContext context)
    {
        if (context.Request.Program is not { } program)
            return
            [
                SelfTestCheck.CannotTell(
                    Code,
                    Subject,
                    "the module knows no program of its own that it could start and end.",
                    "See it by the program: iobench self-test"
                ),
            ];
        return [CreateCheck([.. s_kinds.Select(end => new ShutdownTest(context, program, end).RunTest())])];
    }

    internal static SelfTestCheck CreateCheck(IReadOnlyList<ShutdownTestResult> outcomes)
    {
        var what = string.Join("; ", outcomes.Select(DescribeResult)) + ".";
        FindingEvidence[] figures = [.. outcomes.Select(o => new FindingEvidence(DescribeKind(o.Kind), o.Seconds, "s"))];
        if (outcomes.Any(o => o.Fault is not null))
            return SelfTestCheck.Fail(
                Code,
                Subject,
                what,
                "Do not count on results and test files of runs that are interrupted here, and report it",
                figures
            );
        return outcomes.Any(o => o.Unknown is not null)
            ? SelfTestCheck.CannotTell(Code, Subject, what, null, figures)
            : SelfTestCheck.Pass(Code, Subject, what, null, figures);
    }

    private static string DescribeResult(ShutdownTestResult outcome)
    {
        if (outcome.Fault is { } fault)
            return $"after {DescribeKind(outcome.Kind)} {fault.TrimEnd('.')}";
        if (outcome.Unknown is { } why)
            return $"{DescribeKind(outcome.Kind)} cannot be seen ({why.TrimEnd('.')})";
        return outcome.Kind == ShutdownKind.Kill
            ? "after a kill what was finished is saved, and the next run proves the test file and takes it"
            : FormattableString.Invariant(
                $"{DescribeKind(outcome.Kind)} ends a test within {outcome.Seconds:0.00} s, what was finished is saved and the mark is closed"
            );
    }

    private static string DescribeKind(ShutdownKind end) =>
        end switch
        {
            ShutdownKind.Interrupt => "Ctrl+C",
            ShutdownKind.Break => "Ctrl+Break",
            ShutdownKind.Terminate => "SIGTERM",
            _ => "a kill",
        };
}
