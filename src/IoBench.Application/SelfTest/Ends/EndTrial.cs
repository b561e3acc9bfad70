using System.Diagnostics;
using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Result of ending the program in one way.</summary>
/// <param name="Seconds">Seconds that the program took to end; null if it did not end or was not asked to.</param>
/// <param name="Fault">What is wrong; null if nothing is.</param>
/// <param name="Unknown">Why the result is unknown; null if it is known.</param>
internal readonly record struct EndOutcome(ProgramEnd End, double? Seconds, string? Fault, string? Unknown);

internal sealed class EndTrial(SelfTestContext context, SelfTestProgram program, ProgramEnd end)
{
    private const int Cancelled = 130;
    private const long FileSize = 8L << 20;
    private const string Complete = "Complete";
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(30),
        s_timeToEnd = TimeSpan.FromSeconds(15),
        s_poll = TimeSpan.FromMilliseconds(20),
        s_intoTest = TimeSpan.FromMilliseconds(300);

    private readonly string _folder = Path.Combine(Path.GetDirectoryName(context.Path)!, $"iobench-self-test-{Guid.NewGuid():N}");

    private string File => Path.Combine(_folder, "ends.dat");

    private string Results => Path.Combine(_folder, "ends.json");

    public EndOutcome Make()
    {
        Directory.CreateDirectory(_folder);
        EndOutcome outcome;
        try
        {
            outcome = Try();
        }
        finally
        {
            RemoveFolder();
        }
        return outcome;
    }

    private EndOutcome Try()
    {
        using var process = program.StartTests(File, Results);
        // Read the output, because a full pipe would block the program.
        _ = process.StandardOutput.ReadToEndAsync();
        var error = process.StandardError.ReadToEndAsync();
        try
        {
            if (AwaitResult(process) is { } early)
                return early == NoResult ? Unknown(early) : Fault($"{early}: {error.Result.Trim()}");
            var before = Finished().Count;
            var watch = Stopwatch.StartNew();
            if (program.Send(process, end) is { } why)
                return Unknown(why);
            if (!process.WaitForExit(s_timeToEnd))
                return Fault("the program did not end within 15 s");
            var seconds = watch.Elapsed.TotalSeconds;
            return new(end, seconds, Judge(process.ExitCode, before), null);
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
    private string? AwaitResult(Process process)
    {
        for (var watch = Stopwatch.StartNew(); Finished().Count == 0; Wait(s_poll))
        {
            if (process.HasExited)
                return $"the program ended by itself, with exit code {process.ExitCode}";
            if (watch.Elapsed > s_patience)
                return NoResult;
        }
        Wait(s_intoTest);
        return process.HasExited ? $"the program ended by itself, with exit code {process.ExitCode}" : null;
    }

    private void Wait(TimeSpan time)
    {
        context.Token.WaitHandle.WaitOne(time);
        context.Token.ThrowIfCancellationRequested();
    }

    private string? Judge(int exitCode, int before)
    {
        if (Finished() is var finished && finished.Count < before)
            return $"{Figures.Counted(before, "test")} {(before == 1 ? "was" : "were")} finished, and {finished.Count} {(finished.Count == 1 ? "is" : "are")} saved";
        if (end == ProgramEnd.Kill)
            return JudgeNextRun();
        return exitCode != Cancelled ? $"the exit code is {exitCode} and not {Cancelled}"
            : Mark() is not { State: MarkState.Closed } ? "the mark of the test file is not closed"
            : JudgeOwner();
    }

    // The next run verifies every sector of the file before it writes.
    private string? JudgeNextRun()
    {
        var test = context.Test(IoBuffering.Both);
        test.Targets = [new IoTargetSpecification(File)];
        (test.FileSize, test.WritePercent, test.Duration) = (FileSize, 100, TimeSpan.FromSeconds(0.2));
        try
        {
            context.Run(test);
            return JudgeOwner();
        }
        catch (IoBenchException error)
        {
            return $"the next run failed: {error.Message}";
        }
    }

    private string? JudgeOwner() => TestFiles.IsOurs(File, out var reason) ? null : $"the test file {reason}";

    private FileMark? Mark()
    {
        using var handle = PlatformFiles.Current.OpenToRead(File);
        return MarkStore.Read(handle, File) is { } text ? FileMark.Parse(text) : null;
    }

    // Tests with a complete result. The program creates and replaces the file meanwhile.
    private List<string> Finished()
    {
        try
        {
            using var stream = new FileStream(Results, FileMode.Open, FileAccess.Read, FileShare.ReadWrite | FileShare.Delete);
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
                Thread.Sleep(s_poll * 2);
            }
        }
    }

    private EndOutcome Fault(string what) => new(end, null, what, null);

    private EndOutcome Unknown(string why) => new(end, null, null, why);
}
