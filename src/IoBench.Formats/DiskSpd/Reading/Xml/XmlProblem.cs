namespace IoBench.Formats;

/// <summary>Handles an unknown or unsupported part of a DiskSpd document.</summary>
/// <param name="line">Line of the document, from 1.</param>
/// <param name="what">Description, as the end of a sentence.</param>
/// <param name="isOffered">False if the part is valid, but IoBench does not support it.</param>
internal delegate void XmlProblemHandler(int line, string what, bool isOffered = true);
