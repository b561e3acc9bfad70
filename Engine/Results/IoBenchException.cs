using System.Text.Json.Serialization;

namespace IoBench.Engine;

/// <summary>Determines the exit code and PowerShell's error category.</summary>
public enum IoErrorKind
{
    /// <summary>An argument is invalid (exit code 2).</summary>
    Usage,

    /// <summary>A file or device is refused, because IoBench did not create it or would damage it (exit code 2).</summary>
    Refused,

    /// <summary>A specified item does not exist (exit code 2).</summary>
    NotFound,

    /// <summary>The input is invalid (exit code 1).</summary>
    InvalidData,

    /// <summary>The operating system, a device or an I/O failed (exit code 1).</summary>
    Failure,
}

/// <summary>The only exception with a message for users: what happened, and separately what to do. Any other exception is a bug.</summary>
public sealed class IoBenchException : Exception
{
    /// <param name="errorId">Stable id: <c>IoBench.</c> and a name.</param>
    public IoBenchException(
        string errorId,
        IoErrorKind kind,
        IoMessage what,
        string? target = null,
        Exception? innerException = null,
        IoMessage? advice = null
    )
        : base(what.WithSentence(advice).ToString(), innerException)
    {
        ErrorId = errorId;
        Kind = kind;
        What = what;
        Advice = advice;
        Target = target;
        Reasons = [this];
    }

    private IoBenchException(IReadOnlyList<IoBenchException> reasons)
        : this(reasons[0].ErrorId, reasons[0].Kind, reasons[0].What, reasons[0].Target, reasons[0].InnerException, reasons[0].Advice) =>
        Reasons = [this, .. reasons.Skip(1)];

    public string ErrorId { get; }

    public IoErrorKind Kind { get; }

    public IoMessage What { get; }

    /// <summary>What to do about the error; null if unknown.</summary>
    public IoMessage? Advice { get; }

    public IoMessage Text => What.WithSentence(Advice);

    /// <summary>Text for users, with the id in brackets at the end.</summary>
    public string RenderWithId(OptionSpelling spelling) => $"{Text.Render(spelling)} [{ErrorId}]";

    public IReadOnlyList<string> Options => Text.Options;

    public string? Target { get; }

    /// <summary>All errors of a command that is refused for several reasons, this one first; otherwise only this one.</summary>
    public IReadOnlyList<IoBenchException> Reasons { get; }

    /// <summary>Exit code of the <c>iobench</c> CLI: 2 for errors in the command, 1 for failures.</summary>
    public int ExitCode => Kind is IoErrorKind.Usage or IoErrorKind.Refused or IoErrorKind.NotFound ? 2 : 1;

    public static IoBenchException Usage(string errorId, IoMessage what, string? target = null, IoMessage? advice = null) =>
        new(errorId, IoErrorKind.Usage, what, target, advice: advice);

    public static IoBenchException Refused(string errorId, IoMessage what, string? target = null, IoMessage? advice = null) =>
        new(errorId, IoErrorKind.Refused, what, target, advice: advice);

    public static IoBenchException NotFound(string errorId, IoMessage what, string? target = null, IoMessage? advice = null) =>
        new(errorId, IoErrorKind.NotFound, what, target, advice: advice);

    public static IoBenchException InvalidData(
        string errorId,
        IoMessage what,
        string? target = null,
        Exception? innerException = null,
        IoMessage? advice = null
    ) => new(errorId, IoErrorKind.InvalidData, what, target, innerException, advice);

    public static IoBenchException Failure(
        string errorId,
        IoMessage what,
        string? target = null,
        Exception? innerException = null,
        IoMessage? advice = null
    ) => new(errorId, IoErrorKind.Failure, what, target, innerException, advice);

    /// <summary>Creates one error with the reasons of all errors, each once. Its id and exit code are those of the first error.</summary>
    public static IoBenchException Combine(IEnumerable<IoBenchException> errors)
    {
        ArgumentNullException.ThrowIfNull(errors);
        IReadOnlyList<IoBenchException> reasons =
        [
            .. errors.SelectMany(error => error.Reasons).DistinctBy(error => (error.ErrorId, error.Text.Template)),
        ];
        return reasons.Count == 1 ? reasons[0] : new IoBenchException(reasons);
    }

    /// <summary>Also for a thread that the system refused to create, which .NET reports as missing memory.</summary>
    public static IoBenchException NotEnoughMemory(OutOfMemoryException error)
    {
        ArgumentNullException.ThrowIfNull(error);
        if (error.StackTrace?.Contains("System.Threading.Thread.StartCore", StringComparison.Ordinal) == true)
            return Failure(
                "IoBench.TooManyThreads",
                "The system cannot create a thread.",
                null,
                error,
                advice: "Raise the process limit (ulimit -u, or the pids limit of the container), or close other programs."
            );
        return Failure(
            ErrorIds.NotEnoughMemory,
            "There is not enough memory.",
            null,
            error,
            advice: "Use fewer files or results, or close other programs."
        );
    }

    /// <summary>
    /// Prefixes the message with an option's name, a host, or a position in a file. A null target leaves the target unchanged.
    /// </summary>
    public IoBenchException WithSubject(IoMessage subject, string? target = null) =>
        new(ErrorId, Kind, $"{subject}: {What}", target ?? Target, this, Advice);

    public IoBenchException WithSubject(OptionName option) => WithSubject((IoMessage)$"{option}");
}

public sealed class IoErrorDetails
{
    public IoErrorDetails() { }

    public IoErrorDetails(IoMessage what, IoMessage? advice)
    {
        WhatTemplate = what.Template;
        AdviceTemplate = advice?.Template;
    }

    /// <summary><see cref="IoMessage.Template"/> of what happened.</summary>
    public string WhatTemplate { get; set; } = "";

    public string? AdviceTemplate { get; set; }

    [JsonIgnore]
    public IoMessage What => IoMessage.FromTemplate(WhatTemplate);

    [JsonIgnore]
    public IoMessage? Advice => AdviceTemplate is { } template ? IoMessage.FromTemplate(template) : null;
}
