using System.Text.Json.Serialization;

namespace IoBench.Engine;

/// <summary>Message of an error that ended a run, so that each front end can spell the options and show the advice separately.</summary>
public sealed class IoErrorDetails
{
    /// <summary>Creates an empty message.</summary>
    public IoErrorDetails() { }

    /// <summary>Creates the message of an error.</summary>
    public IoErrorDetails(IoText what, IoText? advice) => (WhatTemplate, AdviceTemplate) = (what.Template, advice?.Template);

    /// <summary><see cref="IoText.Template"/> of what happened.</summary>
    public string WhatTemplate { get; set; } = "";

    /// <summary><see cref="IoText.Template"/> of what to do; null if unknown.</summary>
    public string? AdviceTemplate { get; set; }

    /// <summary>What happened, and where.</summary>
    [JsonIgnore]
    public IoText What => IoText.FromTemplate(WhatTemplate);

    /// <summary>What to do about the error; null if unknown.</summary>
    [JsonIgnore]
    public IoText? Advice => AdviceTemplate is { } template ? IoText.FromTemplate(template) : null;
}
