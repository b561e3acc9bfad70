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
/// The one exception that IoBench means for people: its text is one line that says what, where and what to do, and leaves the spelling of options to the
/// front. Anything else that escapes is a bug.
/// </summary>
public sealed class IoBenchException : Exception
{
    /// <summary>An error with its stable id (<c>IoBench.Something</c>), kind, text and what it is about.</summary>
    public IoBenchException(string errorId, IoErrorKind kind, IoText text, string? target = null, Exception? innerException = null)
        : base(text.ToString(), innerException)
    {
        ErrorId = errorId;
        Kind = kind;
        Text = text;
        Target = target;
    }

    /// <summary>The stable id scripts may rely on, <c>IoBench.</c> and a name.</summary>
    public string ErrorId { get; }

    /// <summary>The kind of trouble.</summary>
    public IoErrorKind Kind { get; }

    /// <summary>What, where and what to do; <see cref="Exception.Message"/> is this with the options' neutral names.</summary>
    public IoText Text { get; }

    /// <summary>Names of the options it is about, as the rows of options have them; empty when none is.</summary>
    public IReadOnlyList<string> Options => Text.Options;

    /// <summary>The path, option or input it is about; null when there is none.</summary>
    public string? Target { get; }

    /// <summary>The <c>iobench</c> program's exit code: 2 for what the caller can correct in the command, 1 for what failed.</summary>
    public int ExitCode => Kind is IoErrorKind.Usage or IoErrorKind.Refused or IoErrorKind.NotFound ? 2 : 1;

    /// <summary>A wrong argument.</summary>
    public static IoBenchException Usage(string errorId, IoText text, string? target = null)
        => new(errorId, IoErrorKind.Usage, text, target);

    /// <summary>A refused file or device.</summary>
    public static IoBenchException Refused(string errorId, IoText text, string? target = null)
        => new(errorId, IoErrorKind.Refused, text, target);

    /// <summary>Something named that is not there.</summary>
    public static IoBenchException NotFound(string errorId, IoText text, string? target = null)
        => new(errorId, IoErrorKind.NotFound, text, target);

    /// <summary>Input that could not be understood.</summary>
    public static IoBenchException InvalidData(string errorId, IoText text, string? target = null, Exception? innerException = null)
        => new(errorId, IoErrorKind.InvalidData, text, target, innerException);

    /// <summary>A failure of the system, a device or an I/O.</summary>
    public static IoBenchException Failure(string errorId, IoText text, string? target = null, Exception? innerException = null)
        => new(errorId, IoErrorKind.Failure, text, target, innerException);

    /// <summary>More memory was needed than there is, where nothing says more closely what for.</summary>
    public static IoBenchException NotEnoughMemory(OutOfMemoryException error)
        => Failure(ErrorIds.NotEnoughMemory, "there is not enough memory for this. Give fewer files or results at once, or end other programs.", null, error);

    /// <summary>The same error about an option: its name in front.</summary>
    public IoBenchException About(OptionName option) => new(ErrorId, Kind, $"{option}: {Text}", Target, this);
}
