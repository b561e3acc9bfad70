namespace IoBench.Formats;

/// <param name="what">Description, as the end of a sentence.</param>
/// <param name="isOffered">False if the part is valid, but IoBench does not support it.</param>
internal delegate void XmlProblemHandler(int line, string what, bool isOffered = true);
