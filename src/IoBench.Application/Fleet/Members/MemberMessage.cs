using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Application;

public enum MemberMessageKind
{
    /// <summary>The member started. The message has its identity and clock.</summary>
    Hello,

    /// <summary>Answer to a question about the clock.</summary>
    Clock,

    Alive,

    Preparing,

    Warning,

    /// <summary>A test is armed: files are open, buffers are filled, and workers wait.</summary>
    Ready,

    Running,

    /// <summary>A test ended; the message has its result, whatever its status.</summary>
    Done,

    /// <summary>The test is not run, because its earlier rounds are steady.</summary>
    Unneeded,

    /// <summary>A test has no result, or, without a test number, the member cannot continue.</summary>
    Failed,

    /// <summary>Text for the user: a line, or an error that affects no test.</summary>
    Note,

    /// <summary>Detail about the actual run: file, backend, flags.</summary>
    Log,

    End,
}

/// <summary>A message from a member. Properties that do not belong to its kind are null.</summary>
public sealed record MemberMessage
{
    public MemberMessageKind State { get; init; }

    public string? Member { get; init; }
    public string? Group { get; init; }

    /// <summary>Number of the test in the plan, starting at 1.</summary>
    public int? Test { get; init; }

    public int? Count { get; init; }

    /// <summary>Workload or pattern of the test.</summary>
    public string? Name { get; init; }

    /// <summary>Monotonic clock of the member in nanoseconds.</summary>
    public long? Clock { get; init; }

    public DateTimeOffset? Time { get; init; }

    /// <summary>Number of the question that a clock message answers.</summary>
    public int? Number { get; init; }

    public string? Computer { get; init; }

    /// <summary>Hash of the machine id, to distinguish machines with the same name; null if there is no machine id.</summary>
    public string? Machine { get; init; }

    public string? Version { get; init; }

    /// <summary>Bytes of test files that still have to be written.</summary>
    public long? BytesToMake { get; init; }

    /// <summary>Files of all tests, in a message before the first is created.</summary>
    public IReadOnlyList<MemberFile>? Files { get; init; }

    /// <summary>Path of the test file that is being created.</summary>
    public string? Path { get; init; }

    /// <summary>Progress of the file or the test in percent.</summary>
    public double? Percent { get; init; }

    /// <summary>IOPS over about the last second.</summary>
    public double? Iops { get; init; }

    /// <summary>MiB/s over about the last second.</summary>
    public double? MBps { get; init; }

    /// <summary>Id of an error, or code of a warning.</summary>
    public string? ErrorId { get; init; }

    public IoErrorKind? ErrorKind { get; init; }

    /// <summary>Text of an error with its advice, or of a warning, for users who read the line.</summary>
    public string? Text { get; init; }

    /// <summary>Template of a warning or of an error without its advice, so that a front end can fill in its option names.</summary>
    public string? Template { get; init; }

    public string? Advice { get; init; }

    public JsonElement? Result { get; init; }

    public IoMessage? GetText() =>
        Template is { } template ? IoMessage.FromTemplate(template)
        : Text is { } text ? IoMessage.FromString(text)
        : null;

    private IoMessage? GetAdvice() => Advice is { } template ? IoMessage.FromTemplate(template) : null;

    /// <summary>Returns the error of a failure or a note.</summary>
    public IoBenchException GetError() =>
        new(ErrorId ?? ErrorIds.TestFailed, ErrorKind ?? IoErrorKind.Failure, GetText() ?? "it failed.", advice: GetAdvice());

    /// <param name="test">Test without a result; null if the member cannot continue.</param>
    public static MemberMessage Create(IoBenchException error, int? test)
    {
        ArgumentNullException.ThrowIfNull(error);
        return new()
        {
            State = MemberMessageKind.Failed,
            Test = test,
            ErrorId = error.ErrorId,
            ErrorKind = error.Kind,
            Text = error.Text.Render(CliSpelling.Default),
            Template = error.What.Template,
            Advice = error.Advice?.Template,
        };
    }

    public static MemberMessage Create(IoWarning warning)
    {
        ArgumentNullException.ThrowIfNull(warning);
        return new()
        {
            State = MemberMessageKind.Warning,
            ErrorId = warning.Code,
            Text = warning.Text.Render(CliSpelling.Default),
            Template = warning.Template,
        };
    }
}

public enum ControllerCommandKind
{
    Clock,

    Go,

    Skip,

    Stop,

    Alive,
}

public sealed record ControllerCommand
{
    public ControllerCommandKind Order { get; init; }

    /// <summary>Number of a question about the clock.</summary>
    public int? Number { get; init; }

    /// <summary>Number of the test, starting at 1.</summary>
    public int? Test { get; init; }

    /// <summary>Time of the first I/O on the member's own monotonic clock, in nanoseconds.</summary>
    public long? At { get; init; }

    public IReadOnlyList<string>? Hosts { get; init; }

    /// <summary>Reason for skipping a test.</summary>
    public string? Text { get; init; }
}
