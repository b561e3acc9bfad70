using System.Management.Automation;

namespace IoBench.PowerShell.Sessions;

/// <summary>What a host says while it works, as plain values that pass through remoting. Results go as they are.</summary>
public sealed class SessionMessage
{
    /// <summary>What it is about.</summary>
    public SessionMessageKind Kind { get; init; }

    public string Text { get; init; } = "";

    /// <summary>Of an error: what to do about it; empty where nobody can say.</summary>
    public string Advice { get; init; } = "";

    /// <summary>Of an error: its id; of a warning: its code.</summary>
    public string ErrorId { get; init; } = "";

    /// <summary>Of an error: its kind.</summary>
    public IoErrorKind ErrorKind { get; init; }

    /// <summary>Of a test that is ready: its number in the plan, from 0.</summary>
    public int Number { get; init; }

    /// <summary>Of progress: percent, or -1.</summary>
    public int Percent { get; init; } = -1;

    /// <summary>Of progress: seconds to the end, or -1.</summary>
    public int SecondsLeft { get; init; } = -1;

    internal static SessionMessage Alive { get; } = new() { Kind = SessionMessageKind.Alive };

    /// <summary>The message that remoting left of one; null for something else.</summary>
    internal static SessionMessage? From(PSObject value)
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

    internal static SessionMessage Error(IoBenchException error) =>
        new()
        {
            Kind = SessionMessageKind.Error,
            Text = error.What.Render(ModuleSpelling.Default),
            Advice = error.Advice?.Render(ModuleSpelling.Default) ?? "",
            ErrorId = error.ErrorId,
            ErrorKind = error.Kind,
        };
}

/// <summary>What a message is about.</summary>
public enum SessionMessageKind
{
    /// <summary>Nothing new: the host works.</summary>
    Alive,

    /// <summary>How far it is.</summary>
    Progress,

    /// <summary>What is really done.</summary>
    Verbose,

    /// <summary>Something to know.</summary>
    Note,

    /// <summary>Something to beware of.</summary>
    Warning,

    /// <summary>Something failed.</summary>
    Error,

    /// <summary>The files of a test are ready.</summary>
    Ready,
}
