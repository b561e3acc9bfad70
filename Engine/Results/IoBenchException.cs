namespace IoBench.Engine.Results;

/// <summary>What kind of trouble it is: decides the exit code and PowerShell's error category.</summary>
public enum IoErrorKind
{
    /// <summary>An argument is wrong (exit code 2).</summary>
    Usage,

    /// <summary>A file or device is refused, because it is not IoBench's or would be harmed (exit code 2).</summary>
    Refused,

    /// <summary>Something that was named is not there (exit code 2).</summary>
    NotFound,

    /// <summary>Input could not be understood (exit code 1).</summary>
    InvalidData,

    /// <summary>The operating system, a device or an I/O failed (exit code 1).</summary>
    Failure,
}

/// <summary>
/// The one exception that IoBench means for people: one line that says what and where, and apart from it what to do; both leave the spelling of options to the
/// front. Anything else that escapes is a bug.
/// </summary>
public sealed class IoBenchException : Exception
{
    /// <summary>An error with its stable id (<c>IoBench.Something</c>), kind, text and what it is about.</summary>
    public IoBenchException(
        string errorId,
        IoErrorKind kind,
        IoText what,
        string? target = null,
        Exception? innerException = null,
        IoText? advice = null
    )
        : base(what.With(advice).ToString(), innerException)
    {
        ErrorId = errorId;
        Kind = kind;
        What = what;
        Advice = advice;
        Target = target;
    }

    /// <summary>The stable id scripts may rely on, <c>IoBench.</c> and a name.</summary>
    public string ErrorId { get; }

    /// <summary>The kind of trouble.</summary>
    public IoErrorKind Kind { get; }

    /// <summary>What happened, and where.</summary>
    public IoText What { get; }

    /// <summary>What to do about it; null where nobody can say.</summary>
    public IoText? Advice { get; }

    /// <summary>What happened and what to do; <see cref="Exception.Message"/> is this with the options' neutral names.</summary>
    public IoText Text => What.With(Advice);

    /// <summary>Names of the options it is about, as the rows of options have them; empty when none is.</summary>
    public IReadOnlyList<string> Options => Text.Options;

    /// <summary>The path, option or input it is about; null when there is none.</summary>
    public string? Target { get; }

    /// <summary>The <c>iobench</c> program's exit code: 2 for what the caller can correct in the command, 1 for what failed.</summary>
    public int ExitCode => Kind is IoErrorKind.Usage or IoErrorKind.Refused or IoErrorKind.NotFound ? 2 : 1;

    /// <summary>A wrong argument.</summary>
    public static IoBenchException Usage(string errorId, IoText what, string? target = null, IoText? advice = null) =>
        new(errorId, IoErrorKind.Usage, what, target, advice: advice);

    /// <summary>A refused file or device.</summary>
    public static IoBenchException Refused(string errorId, IoText what, string? target = null, IoText? advice = null) =>
        new(errorId, IoErrorKind.Refused, what, target, advice: advice);

    /// <summary>Something named that is not there.</summary>
    public static IoBenchException NotFound(string errorId, IoText what, string? target = null, IoText? advice = null) =>
        new(errorId, IoErrorKind.NotFound, what, target, advice: advice);

    /// <summary>Input that could not be understood.</summary>
    public static IoBenchException InvalidData(
        string errorId,
        IoText what,
        string? target = null,
        Exception? innerException = null,
        IoText? advice = null
    ) => new(errorId, IoErrorKind.InvalidData, what, target, innerException, advice);

    /// <summary>A failure of the system, a device or an I/O.</summary>
    public static IoBenchException Failure(
        string errorId,
        IoText what,
        string? target = null,
        Exception? innerException = null,
        IoText? advice = null
    ) => new(errorId, IoErrorKind.Failure, what, target, innerException, advice);

    /// <summary>More memory was needed than there is, where nothing says more closely what for.</summary>
    public static IoBenchException NotEnoughMemory(OutOfMemoryException error) =>
        Failure(
            ErrorIds.NotEnoughMemory,
            "there is not enough memory for this.",
            null,
            error,
            advice: "Give fewer files or results at once, or end other programs."
        );

    /// <summary>The same error with something in front of it: an option's name, a host, a place in a file.</summary>
    /// <param name="subject">What it is about.</param>
    /// <param name="target">The path, option or input it is about; null = as before.</param>
    public IoBenchException About(IoText subject, string? target = null) =>
        new(ErrorId, Kind, $"{subject}: {What}", target ?? Target, this, Advice);

    /// <summary>The same error about an option: its name in front.</summary>
    public IoBenchException About(OptionName option) => About((IoText)$"{option}");
}
