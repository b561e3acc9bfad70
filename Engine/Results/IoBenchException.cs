using System.Text.Json.Serialization;

namespace IoBench.Engine;

/// <summary>Kind of an error. Determines the exit code and PowerShell's error category.</summary>
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

/// <summary>
/// The only exception with a message for users: what happened, and separately what to do. Each front end spells the option names in both.
/// Any other exception that reaches the user is a bug.
/// </summary>
public sealed class IoBenchException : Exception
{
    /// <summary>Creates an error with a stable id (<c>IoBench.Name</c>), a kind, a message, and its target.</summary>
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
    }

    /// <summary>Stable id for scripts: <c>IoBench.</c> and a name.</summary>
    public string ErrorId { get; }

    /// <summary>Kind of the error.</summary>
    public IoErrorKind Kind { get; }

    /// <summary>What happened, and where.</summary>
    public IoMessage What { get; }

    /// <summary>What to do about the error; null if unknown.</summary>
    public IoMessage? Advice { get; }

    /// <summary>What happened and what to do. <see cref="Exception.Message"/> is this text with neutral option names.</summary>
    public IoMessage Text => What.WithSentence(Advice);

    /// <summary>Names of the options in the text; empty if there are none.</summary>
    public IReadOnlyList<string> Options => Text.Options;

    /// <summary>Path, option, or input that caused the error; null if there is none.</summary>
    public string? Target { get; }

    /// <summary>Exit code of the <c>iobench</c> CLI: 2 for errors in the command, 1 for failures.</summary>
    public int ExitCode => Kind is IoErrorKind.Usage or IoErrorKind.Refused or IoErrorKind.NotFound ? 2 : 1;

    /// <summary>Creates the error for an invalid argument.</summary>
    public static IoBenchException Usage(string errorId, IoMessage what, string? target = null, IoMessage? advice = null) =>
        new(errorId, IoErrorKind.Usage, what, target, advice: advice);

    /// <summary>Creates the error for a refused file or device.</summary>
    public static IoBenchException Refused(string errorId, IoMessage what, string? target = null, IoMessage? advice = null) =>
        new(errorId, IoErrorKind.Refused, what, target, advice: advice);

    /// <summary>Creates the error for an item that does not exist.</summary>
    public static IoBenchException NotFound(string errorId, IoMessage what, string? target = null, IoMessage? advice = null) =>
        new(errorId, IoErrorKind.NotFound, what, target, advice: advice);

    /// <summary>Creates the error for invalid input.</summary>
    public static IoBenchException InvalidData(
        string errorId,
        IoMessage what,
        string? target = null,
        Exception? innerException = null,
        IoMessage? advice = null
    ) => new(errorId, IoErrorKind.InvalidData, what, target, innerException, advice);

    /// <summary>Creates the error for a failure of the system, a device, or an I/O.</summary>
    public static IoBenchException Failure(
        string errorId,
        IoMessage what,
        string? target = null,
        Exception? innerException = null,
        IoMessage? advice = null
    ) => new(errorId, IoErrorKind.Failure, what, target, innerException, advice);

    /// <summary>Creates the error for insufficient memory, if no more specific error applies.</summary>
    public static IoBenchException NotEnoughMemory(OutOfMemoryException error) =>
        Failure(
            ErrorIds.NotEnoughMemory,
            "there is not enough memory for this.",
            null,
            error,
            advice: "Give fewer files or results at once, or end other programs."
        );

    /// <summary>Returns the same error with a prefix: an option's name, a host, or a position in a file.</summary>
    /// <param name="subject">The prefix.</param>
    /// <param name="target">Path, option, or input that caused the error; null = unchanged.</param>
    public IoBenchException WithSubject(IoMessage subject, string? target = null) =>
        new(ErrorId, Kind, $"{subject}: {What}", target ?? Target, this, Advice);

    /// <summary>Returns the same error with an option's name as prefix.</summary>
    public IoBenchException WithSubject(OptionName option) => WithSubject((IoMessage)$"{option}");
}

/// <summary>Message of an error that ended a run, so that each front end can spell the options and show the advice separately.</summary>
public sealed class IoErrorDetails
{
    /// <summary>Creates an empty message.</summary>
    public IoErrorDetails() { }

    /// <summary>Creates the message of an error.</summary>
    public IoErrorDetails(IoMessage what, IoMessage? advice) => (WhatTemplate, AdviceTemplate) = (what.Template, advice?.Template);

    /// <summary><see cref="IoMessage.Template"/> of what happened.</summary>
    public string WhatTemplate { get; set; } = "";

    /// <summary><see cref="IoMessage.Template"/> of what to do; null if unknown.</summary>
    public string? AdviceTemplate { get; set; }

    /// <summary>What happened, and where.</summary>
    [JsonIgnore]
    public IoMessage What => IoMessage.FromTemplate(WhatTemplate);

    /// <summary>What to do about the error; null if unknown.</summary>
    [JsonIgnore]
    public IoMessage? Advice => AdviceTemplate is { } template ? IoMessage.FromTemplate(template) : null;
}
