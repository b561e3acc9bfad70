using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Message of a host, with plain values that remoting can transfer. Results are sent without a message.</summary>
public sealed class SessionMessage
{
    public SessionMessageKind Kind { get; init; }

    public string Text { get; init; } = "";

    public string Advice { get; init; } = "";

    /// <summary>Id of an error, or code of a warning.</summary>
    public string ErrorId { get; init; } = "";

    public IoErrorKind ErrorKind { get; init; }

    /// <summary>Number of a test that is ready, in the plan, from 0.</summary>
    public int Number { get; init; }

    /// <summary>Progress in percent; -1 if unknown.</summary>
    public int Percent { get; init; } = -1;

    /// <summary>Remaining time in seconds; -1 if unknown.</summary>
    public int SecondsLeft { get; init; } = -1;

    internal static SessionMessage Alive { get; } = new() { Kind = SessionMessageKind.Alive };

    /// <summary>Returns null if the object is not a message.</summary>
    internal static SessionMessage? FromPSObject(PSObject value)
    {
        if (value.BaseObject is SessionMessage message)
            return message;
        if (!value.TypeNames.Contains("Deserialized." + typeof(SessionMessage).FullName))
            return null;
        return new SessionMessage
        {
            Kind = Read<SessionMessageKind>(nameof(Kind)),
            Text = Read<string>(nameof(Text)),
            Advice = Read<string>(nameof(Advice)),
            ErrorId = Read<string>(nameof(ErrorId)),
            ErrorKind = Read<IoErrorKind>(nameof(ErrorKind)),
            Number = Read<int>(nameof(Number)),
            Percent = Read<int>(nameof(Percent)),
            SecondsLeft = Read<int>(nameof(SecondsLeft)),
        };

        T Read<T>(string name) => LanguagePrimitives.ConvertTo<T>(DeserializedObject.Unwrap(value.Properties[name].Value));
    }

    internal static SessionMessage FromError(IoBenchException error) =>
        new()
        {
            Kind = SessionMessageKind.Error,
            Text = error.What.Render(PowerShellSpelling.Default),
            Advice = error.Advice?.Render(PowerShellSpelling.Default) ?? "",
            ErrorId = error.ErrorId,
            ErrorKind = error.Kind,
        };
}

public enum SessionMessageKind
{
    /// <summary>The host is still working and has nothing to report.</summary>
    Alive,

    Progress,

    Verbose,

    Note,

    Warning,

    Error,

    /// <summary>The files of a test are ready.</summary>
    Ready,
}
