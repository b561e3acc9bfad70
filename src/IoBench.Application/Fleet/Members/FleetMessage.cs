using System.Text.Json;

namespace IoBench.Application.Fleet.Members;

/// <summary>What a member of a fleet says.</summary>
public enum FleetState
{
    /// <summary>It is there: who it is, and its clock.</summary>
    Hello,

    /// <summary>Its clock, as it was asked.</summary>
    Clock,

    /// <summary>Nothing new: it works.</summary>
    Alive,

    /// <summary>It makes a test file.</summary>
    Preparing,

    /// <summary>Something to beware of.</summary>
    Warning,

    /// <summary>A test is armed: files open, buffers filled, workers waiting.</summary>
    Ready,

    /// <summary>A test runs.</summary>
    Running,

    /// <summary>A test is over; its result is there, whatever its status.</summary>
    Done,

    /// <summary>A test gave no result, or without a test: the member cannot go on.</summary>
    Failed,

    /// <summary>It is through: nothing more comes.</summary>
    End,
}

/// <summary>A line of a member. What does not belong to its state is null.</summary>
public sealed record FleetMessage
{
    /// <summary>What it is about.</summary>
    public FleetState State { get; init; }

    /// <summary>The member's name in its group.</summary>
    public string? Member { get; init; }
    public string? Group { get; init; }

    /// <summary>Number of the test in the plan, from 1.</summary>
    public int? Test { get; init; }

    /// <summary>Tests of the plan.</summary>
    public int? Count { get; init; }

    /// <summary>The test's workload or pattern.</summary>
    public string? Name { get; init; }

    /// <summary>The member's monotonic clock in nanoseconds.</summary>
    public long? Clock { get; init; }

    /// <summary>Its calendar.</summary>
    public DateTimeOffset? Time { get; init; }

    /// <summary>Of an answer about the clock: the number of the question.</summary>
    public int? Number { get; init; }

    /// <summary>The computer's own name.</summary>
    public string? Computer { get; init; }

    /// <summary>What tells the machine from others of its name: the system's id of it, shortened and scrambled; null when it has none.</summary>
    public string? Machine { get; init; }

    /// <summary>Version of IoBench.</summary>
    public string? Version { get; init; }

    /// <summary>Bytes of test files that are still to be made.</summary>
    public long? BytesToMake { get; init; }

    /// <summary>The test files, full paths.</summary>
    public IReadOnlyList<string>? Files { get; init; }

    /// <summary>The test file that is being made.</summary>
    public string? Path { get; init; }

    /// <summary>How far it or the test is.</summary>
    public double? Percent { get; init; }

    /// <summary>I/Os per second over about the last second.</summary>
    public double? Iops { get; init; }

    /// <summary>MiB per second over about the last second.</summary>
    public double? MBps { get; init; }

    /// <summary>Id of an error, or code of a warning.</summary>
    public string? ErrorId { get; init; }

    /// <summary>Kind of an error.</summary>
    public IoErrorKind? ErrorKind { get; init; }

    /// <summary>An error or warning in words, of an error with what to do; for people who read the line.</summary>
    public string? Text { get; init; }

    /// <summary>The same as <see cref="IoText.Template"/>, of an error what happened alone: whoever shows it spells its options.</summary>
    public string? Template { get; init; }

    /// <summary>Of an error: what to do about it, as a template; null where nobody can say.</summary>
    public string? Advice { get; init; }

    /// <summary>The result of a test, as JSON has it.</summary>
    public JsonElement? Result { get; init; }

    /// <summary>The error or warning; null when it has no words.</summary>
    public IoText? Words() =>
        Template is { } template ? IoText.FromTemplate(template)
        : Text is { } text ? IoText.FromString(text)
        : null;

    /// <summary>What to do about the error; null where nobody can say.</summary>
    public IoText? AdviceWords() => Advice is { } template ? IoText.FromTemplate(template) : null;

    /// <summary>A line about an error.</summary>
    /// <param name="test">The test that gave no result; null = the member cannot go on.</param>
    public static FleetMessage Of(IoBenchException error, int? test)
    {
        ArgumentNullException.ThrowIfNull(error);
        return new()
        {
            State = FleetState.Failed,
            Test = test,
            ErrorId = error.ErrorId,
            ErrorKind = error.Kind,
            Text = error.Text.Render(ProgramSpelling.Default),
            Template = error.What.Template,
            Advice = error.Advice?.Template,
        };
    }

    /// <summary>A line about a warning.</summary>
    public static FleetMessage Of(IoWarning warning)
    {
        ArgumentNullException.ThrowIfNull(warning);
        return new()
        {
            State = FleetState.Warning,
            ErrorId = warning.Code,
            Text = warning.Text.Render(ProgramSpelling.Default),
            Template = warning.Template,
        };
    }
}

/// <summary>What a member is told.</summary>
public enum FleetOrderKind
{
    /// <summary>Say what the clock is.</summary>
    Clock,

    /// <summary>Begin a test at a moment.</summary>
    Go,

    /// <summary>Leave a test out.</summary>
    Skip,

    /// <summary>End now.</summary>
    Stop,

    /// <summary>Nothing new: the controller is there.</summary>
    Alive,
}

/// <summary>A line to a member.</summary>
public sealed record FleetOrder
{
    /// <summary>What to do.</summary>
    public FleetOrderKind Order { get; init; }

    /// <summary>Of a question about the clock: its number.</summary>
    public int? Number { get; init; }

    /// <summary>Number of the test, from 1.</summary>
    public int? Test { get; init; }

    /// <summary>The moment of the first I/O on the member's own monotonic clock, in nanoseconds.</summary>
    public long? At { get; init; }

    /// <summary>Names of the members that begin at that moment.</summary>
    public IReadOnlyList<string>? Hosts { get; init; }

    /// <summary>Why a test is left out.</summary>
    public string? Text { get; init; }
}
