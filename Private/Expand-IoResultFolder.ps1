function Expand-IoResultFolder {
    <# Files to read: a file is itself, a folder the result files in it. #>
    [CmdletBinding()]
    [OutputType([string])]
    param(
        [AllowEmptyCollection()]
        [string[]] $Path,

        [switch] $Recurse,

        [Parameter(Mandatory)]
        [System.Management.Automation.PSCmdlet] $Cmdlet
    )

    foreach ($item in $Path) {
        if (-not [System.IO.Directory]::Exists($item)) {
            $item
            continue
        }
        $files = [IoBench.Loader.Attempt]::FindFiles($item, $Recurse)
        if ($files.Error) {
            $Cmdlet.WriteError((ConvertTo-IoErrorRecord -ErrorObject $files.Error -TargetObject $item))
        } else {
            $files.Value
        }
    }
}
