using System.Management.Automation;
using System.Text.RegularExpressions;

namespace IoBench.PowerShell.Cmdlets;

/// <summary>Error records of exceptions: stable id, category, what it is about, and the last sentence as recommendation.</summary>
internal static partial class ErrorRecords
{
    /// <summary>Whether an exception is meant for the user; any other is a bug and shown as PowerShell shows it.</summary>
    public static bool IsExpected(Exception error) => error is IoBenchException or IOException or UnauthorizedAccessException or OutOfMemoryException;

    /// <summary>The record of an exception.</summary>
    /// <param name="target">What it is about; null = what the exception says.</param>
    public static ErrorRecord From(Exception error, object? target = null)
    {
        if (error is IoBenchException known)
            return From(known, target);
        if (error is OutOfMemoryException memory)
            return From(IoBenchException.NotEnoughMemory(memory), target);
        var (id, category) = error switch
        {
            UnauthorizedAccessException => (ErrorIds.AccessDenied, ErrorCategory.PermissionDenied),
            IOException => ("IoBench.InputOutputFailed", ErrorCategory.DeviceError),
            _ => ("IoBench.Unexpected", ErrorCategory.NotSpecified),
        };
        var record = new ErrorRecord(error, id, category, target);
        if (!SafeText.IsSafe(error.Message))
            record.ErrorDetails = new ErrorDetails(SafeText.Escape(error.Message));
        return record;
    }

    private static ErrorRecord From(IoBenchException error, object? target)
    {
        var message = error.Text.Render(ModuleSpelling.Default);
        var shown = message == error.Message ? error : new IoBenchException(error.ErrorId, error.Kind, message, error.Target, error.InnerException);
        var record = new ErrorRecord(shown, error.ErrorId, CategoryOf(error), target ?? error.Target);
        // The message says what, where, what to do. PowerShell shows the last of it as a recommendation of its own.
        var sentences = EndOfSentence().Split(message);
        if (sentences.Length > 1)
            record.ErrorDetails = new ErrorDetails(string.Join(' ', sentences[..^1])) { RecommendedAction = sentences[^1] };
        return record;
    }

    private static ErrorCategory CategoryOf(IoBenchException error) => error.Kind switch
    {
        IoErrorKind.Usage => ErrorCategory.InvalidArgument,
        IoErrorKind.Refused => error.ErrorId == ErrorIds.FileExists ? ErrorCategory.ResourceExists : ErrorCategory.PermissionDenied,
        IoErrorKind.NotFound => ErrorCategory.ObjectNotFound,
        IoErrorKind.InvalidData => ErrorCategory.InvalidData,
        _ => ErrorCategory.DeviceError,
    };

    [GeneratedRegex(@"(?<=[.?!]) (?=\p{Lu})")]
    private static partial Regex EndOfSentence();
}
