using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal static class ErrorRecords
{
    /// <summary>
    /// True if an exception is intended for the user. PowerShell shows any other exception unchanged, because it is a bug.
    /// </summary>
    public static bool IsExpected(Exception error) =>
        error is IoBenchException or IOException or UnauthorizedAccessException or OutOfMemoryException;

    /// <param name="target">Target of the error record; null for the target of the exception.</param>
    public static ErrorRecord Create(Exception error, object? target = null)
    {
        if (error is IoBenchException known)
            return Create(known, target, GetCategory(known));
        if (error is OutOfMemoryException memory)
            return Create(IoBenchException.NotEnoughMemory(memory), target);
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

    public static ErrorRecord Create(IoBenchException error, object? target, ErrorCategory category)
    {
        var message = error.Text.Render(PowerShellSpelling.Default);
        var shown =
            message == error.Message ? error : new IoBenchException(error.ErrorId, error.Kind, message, error.Target, error.InnerException);
        var record = new ErrorRecord(shown, error.ErrorId, category, target ?? error.Target);
        // The exception's message contains the problem and the advice. PowerShell has a separate property for the advice.
        if (error.Advice is { } advice)
            record.ErrorDetails = new ErrorDetails(error.What.Render(PowerShellSpelling.Default))
            {
                RecommendedAction = advice.Render(PowerShellSpelling.Default),
            };
        return record;
    }

    private static ErrorCategory GetCategory(IoBenchException error) =>
        error.Kind switch
        {
            IoErrorKind.Usage => error.ErrorId is ErrorIds.UnknownWorkload or ErrorIds.UnknownRuleSet
                ? ErrorCategory.ObjectNotFound
                : ErrorCategory.InvalidArgument,
            IoErrorKind.Refused => error.ErrorId switch
            {
                ErrorIds.FileExists => ErrorCategory.ResourceExists,
                ErrorIds.NotEnoughSpace => ErrorCategory.ResourceUnavailable,
                _ => ErrorCategory.PermissionDenied,
            },
            IoErrorKind.NotFound => ErrorCategory.ObjectNotFound,
            IoErrorKind.InvalidData => ErrorCategory.InvalidData,
            _ => ErrorCategory.DeviceError,
        };
}
