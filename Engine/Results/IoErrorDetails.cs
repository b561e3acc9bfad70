using System.Text.Json.Serialization;

namespace IoBench.Engine.Results;

/// <summary>The words of an error that ended a run, so that each front spells the options in them and shows the advice in its own place.</summary>
public sealed class IoErrorDetails
{
    /// <summary>Words that are not said yet.</summary>
    public IoErrorDetails() { }

    /// <summary>The words of an error.</summary>
    public IoErrorDetails(IoText what, IoText? advice) => (WhatTemplate, AdviceTemplate) = (what.Template, advice?.Template);

    /// <summary><see cref="IoText.Template"/> of what happened, and where.</summary>
    public string WhatTemplate { get; set; } = "";

    /// <summary><see cref="IoText.Template"/> of what to do about it; null where nobody can say.</summary>
    public string? AdviceTemplate { get; set; }

    /// <summary>What happened, and where.</summary>
    [JsonIgnore]
    public IoText What => IoText.FromTemplate(WhatTemplate);

    /// <summary>What to do about it; null where nobody can say.</summary>
    [JsonIgnore]
    public IoText? Advice => AdviceTemplate is { } template ? IoText.FromTemplate(template) : null;
}
