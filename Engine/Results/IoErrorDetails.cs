using System.Text.Json.Serialization;

namespace IoBench.Engine;

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
