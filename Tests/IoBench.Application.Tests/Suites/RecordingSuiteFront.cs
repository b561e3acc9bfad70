using IoBench.Engine;

namespace IoBench.Application.Tests;

internal sealed class RecordingSuiteFront : ISuiteFront
{
    public List<IoTestResult> Results { get; } = [];
    public List<SuiteFailure> Failures { get; } = [];
    public List<SuiteProgress> Progress { get; } = [];
    public List<string> Lines { get; } = [];
    public List<(TargetQuestionKind Kind, string Path, IoMessage Text)> Questions { get; } = [];
    public bool NeedsAllTargets { get; init; }
    public int Ended { get; private set; }
    public HashSet<int> Threads { get; } = [];
    public Func<(TargetQuestionKind Kind, string Path), TargetAnswer> Answer { get; init; } = _ => TargetAnswer.CannotAsk;
    public Action<IoTestResult>? Emitted { get; init; }
    public Action<SuiteProgress>? Seen { get; init; }

    public void OnProgress(SuiteProgress progress)
    {
        Threads.Add(Environment.CurrentManagedThreadId);
        Progress.Add(progress);
        Seen?.Invoke(progress);
    }

    public void OnTestEnded() => Ended++;

    public List<IoWarning> Warnings { get; } = [];

    public void OnWarning(IoWarning warning) => Warnings.Add(warning);

    public void OnLog(string line)
    {
        Threads.Add(Environment.CurrentManagedThreadId);
        Lines.Add(line);
    }

    public void OnResult(IoTestResult result)
    {
        Threads.Add(Environment.CurrentManagedThreadId);
        Results.Add(result);
        Emitted?.Invoke(result);
    }

    public void OnFailure(SuiteFailure failure) => Failures.Add(failure);

    public TargetAnswer Ask(TargetQuestionKind kind, string path, IoMessage text)
    {
        Questions.Add((kind, path, text));
        return Answer((kind, path));
    }
}

/// <summary>A folder on a real disk, because the temporary folder can be in memory. It is deleted at the end.</summary>
internal sealed class TemporarySuiteFolder : IDisposable
{
    public TemporarySuiteFolder() => Directory.CreateDirectory(Path);

    public string Path { get; } =
        System.IO.Path.Combine(IoBench.Tests.SampleFiles.RepositoryRoot, "artifacts", "application-tests", Guid.NewGuid().ToString("N"));

    public string GetPath(string name) => System.IO.Path.Combine(Path, name);

    public string WriteOtherFile(string name, int bytes = 1 << 20)
    {
        System.IO.File.WriteAllBytes(GetPath(name), [.. Enumerable.Repeat((byte)'x', bytes)]);
        return GetPath(name);
    }

    public void Dispose() => Directory.Delete(Path, recursive: true);
}
