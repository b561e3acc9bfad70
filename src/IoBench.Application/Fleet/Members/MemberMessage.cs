using System.Text.Json;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Kind of a message from a member.</summary>
public enum MemberMessageKind
{
    /// <summary>The member started. The message has its identity and clock.</summary>
    Hello,

    /// <summary>Answer to a question about the clock.</summary>
    Clock,

    /// <summary>Keep-alive.</summary>
    Alive,

    /// <summary>The member creates a test file.</summary>
    Preparing,

    Warning,

    /// <summary>A test is armed: files are open, buffers are filled, and workers wait.</summary>
    Ready,

    /// <summary>A test runs.</summary>
    Running,

    /// <summary>A test ended; the message has its result, whatever its status.</summary>
    Done,

    /// <summary>A test has no result, or, without a test number, the member cannot continue.</summary>
    Failed,

    /// <summary>The member has finished; this is its last message.</summary>
    End,
}

/// <summary>A message from a member. Properties that do not belong to its kind are null.</summary>
public sealed record MemberMessage
{
    /// <summary>Kind of the message.</summary>
    public MemberMessageKind State { get; init; }

    /// <summary>Name of the member in its group.</summary>
    public string? Member { get; init; }
    public string? Group { get; init; }

    /// <summary>Number of the test in the plan, starting at 1.</summary>
    public int? Test { get; init; }

    /// <summary>Number of tests in the plan.</summary>
    public int? Count { get; init; }

    /// <summary>Workload or pattern of the test.</summary>
    public string? Name { get; init; }

    /// <summary>Monotonic clock of the member in nanoseconds.</summary>
    public long? Clock { get; init; }

    /// <summary>Calendar of the member.</summary>
    public DateTimeOffset? Time { get; init; }

    /// <summary>Number of the question that a clock message answers.</summary>
    public int? Number { get; init; }

    /// <summary>Computer name.</summary>
    public string? Computer { get; init; }

    /// <summary>
    /// Shortened hash of the system's machine id, to distinguish machines with the same name; null if there is no machine id.
    /// </summary>
    public string? Machine { get; init; }

    /// <summary>IoBench version.</summary>
    public string? Version { get; init; }

    /// <summary>Bytes of test files that still have to be written.</summary>
    public long? BytesToMake { get; init; }

    /// <summary>Full paths of the test files.</summary>
    public IReadOnlyList<string>? Files { get; init; }

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

    /// <summary>Kind of an error.</summary>
    public IoErrorKind? ErrorKind { get; init; }

    /// <summary>Text of an error with its advice, or of a warning, for users who read the line.</summary>
    public string? Text { get; init; }

    /// <summary>
    /// <see cref="IoMessage.Template"/> of a warning or of an error without its advice, so that a front end can fill in its option names.
    /// </summary>
    public string? Template { get; init; }

    /// <summary>Template of the advice for an error; null if there is none.</summary>
    public string? Advice { get; init; }

    /// <summary>Result of a test as JSON.</summary>
    public JsonElement? Result { get; init; }

    /// <summary>Returns the text of the error or warning; null if there is none.</summary>
    public IoMessage? GetText() =>
        Template is { } template ? IoMessage.FromTemplate(template)
        : Text is { } text ? IoMessage.FromString(text)
        : null;

    /// <summary>Returns the advice for the error; null if there is none.</summary>
    public IoMessage? GetAdvice() => Advice is { } template ? IoMessage.FromTemplate(template) : null;

    /// <summary>Creates a message for an error.</summary>
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

    /// <summary>Creates a message for a warning.</summary>
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

/// <summary>Kind of a command to a member.</summary>
public enum ControllerCommandKind
{
    /// <summary>Asks for the clock.</summary>
    Clock,

    /// <summary>Starts a test at a given time.</summary>
    Go,

    /// <summary>Skips a test.</summary>
    Skip,

    /// <summary>Ends the member.</summary>
    Stop,

    /// <summary>Keep-alive of the controller.</summary>
    Alive,
}

/// <summary>A command to a member.</summary>
public sealed record ControllerCommand
{
    /// <summary>Kind of the command.</summary>
    public ControllerCommandKind Order { get; init; }

    /// <summary>Number of a question about the clock.</summary>
    public int? Number { get; init; }

    /// <summary>Number of the test, starting at 1.</summary>
    public int? Test { get; init; }

    /// <summary>Time of the first I/O on the member's own monotonic clock, in nanoseconds.</summary>
    public long? At { get; init; }

    /// <summary>Names of the members that start at the same time.</summary>
    public IReadOnlyList<string>? Hosts { get; init; }

    /// <summary>Reason for skipping a test.</summary>
    public string? Text { get; init; }
}
